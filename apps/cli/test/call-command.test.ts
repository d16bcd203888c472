import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { type ErrorCode, HubError, toErrorObject } from '@synchub/protocol'
import { CliProcess } from './cli-process.js'
import { runCommandLine } from './command-line.js'
import {
  answerError,
  answerResult,
  answerRpc,
  beginStream,
  CALL_ID,
  complete,
  event,
  failed,
  progress,
  TRACE_ID,
} from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

// A child process needs most of a second to start, and more on a busy machine.
jest.setTimeout(30_000)

const startHub = playedHubs()

function lines(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

describe('synchub call', () => {
  test('prints the result on standard output and progress as plain lines on standard error', async () => {
    const at = await startHub((_request, response) => {
      beginStream(response).end(progress(1, 25) + complete(2))
    })
    const { code, stdout, stderr } = await runCommandLine(['call', 'tool', 'x=1'], at.env)
    expect(JSON.parse(stdout)).toEqual({ reportId: 'rep-1' })
    expect(stderr.split('\n')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^tool {2}running {2}25% {2}step 1$/)]),
    )
    expect(stderr).toContain(`call ${CALL_ID} in trace ${TRACE_ID}\n`)
    expect(code).toBe(0)
  })

  test('prints content as text', async () => {
    const resource = { uri: 'schema://a', mimeType: 'application/sql', text: 'CREATE TABLE a;' }
    const content = [
      { type: 'text', text: 'Schema generated' },
      { type: 'resource', resource },
    ]
    const at = await startHub((_request, response) => answerResult(response, { content }))
    const { stdout } = await runCommandLine(['call', 'tool'], at.env)
    expect(stdout).toBe('Schema generated\nschema://a (application/sql):\nCREATE TABLE a;\n')
  })

  test('prints one JSON object per line with --json', async () => {
    const at = await startHub((_request, response) => {
      beginStream(response).end(progress(1, 25) + complete(2))
    })
    const { stdout } = await runCommandLine(['call', 'tool', '--json'], at.env)
    expect(lines(stdout)).toMatchObject([
      { event: 'progress', data: { progress: 25, message: 'step 1' } },
      { event: 'complete', data: { structuredContent: { reportId: 'rep-1' }, _meta: { callId: CALL_ID } } },
    ])
  })

  test('takes arguments as JSON, from standard input, from a file, and as pairs that are not guessed at', async () => {
    const at = await startHub((_request, response) => answerResult(response))
    const folder = await mkdtemp(join(tmpdir(), 'synchub-cli-'))
    try {
      const file = join(folder, 'args.json')
      await writeFile(file, '{"from":"file"}')
      await runCommandLine(['call', 'tool', '{"a":[1]}'], at.env)
      await runCommandLine(['call', 'tool', '-'], at.env, '{"from":"표준 입력"}')
      await runCommandLine(['call', 'tool', `@${file}`], at.env)
      await runCommandLine(['call', 'tool', 'n=3', 'm:=3', 'list:=["a"]', 'text=a=b:=c'], at.env)
      await runCommandLine(['call', 'tool'], at.env)
    } finally {
      await rm(folder, { recursive: true })
    }
    expect(at.requests.map(({ body }) => body.params?.arguments)).toEqual([
      { a: [1] },
      { from: '표준 입력' },
      { from: 'file' },
      { n: '3', m: 3, list: ['a'], text: 'a=b:=c' },
      {},
    ])
  })

  test.each([
    [['call', 'tool', '[1]'], 'is no argument'],
    [['call', 'tool', '{"a":'], 'not a JSON text'],
    [['call', 'tool', '@/no/such/file'], 'cannot be read: ENOENT'],
    [['call', 'tool', 'n:=three'], 'the value of "n"'],
    [['call', 'tool', '--timeout', '30'], '500ms'],
    [['call', 'tool', '--trace', 'a b'], 'traceId'],
    [['call'], "missing required argument 'tool'"],
    [['--url', 'http://u:secret@hub', 'call', 'tool'], 'no credentials'],
  ])('refuses the command line %j with exit code 2', async (words, reason) => {
    const { code, stderr, stdout } = await runCommandLine(words)
    expect(stderr).toContain(reason)
    expect(stderr).not.toContain('secret')
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  test('sends trace, key and agent as given, and the API key from the environment alone', async () => {
    const at = await startHub((_request, response) => answerResult(response))
    const words = ['call', 'tool', '--trace', 't', '--key', 'k', '--agent', 'SyncBoot']
    const { stdout, stderr } = await runCommandLine(words, { ...at.env, SYNCHUB_API_KEY: 'shk_secret' })
    const [request] = at.requests
    expect(request?.body.params?._meta).toMatchObject({ traceId: 't', idempotencyKey: 'k', targetAgent: 'SyncBoot' })
    expect(request?.headers.authorization).toBe('Bearer shk_secret')
    expect(stdout + stderr).not.toContain('secret')
  })

  test('returns as soon as the hub has the call with --detach', async () => {
    const at = await startHub((_request, response) => {
      answerRpc(response, { _meta: { callId: CALL_ID, traceId: TRACE_ID }, links: {} }, 202)
    })
    const { code, stdout, stderr } = await runCommandLine(['call', 'tool', '--detach'], at.env)
    expect(stdout).toBe(`call ${CALL_ID} in trace ${TRACE_ID}\n`)
    expect(stderr).toContain(`synchub watch ${TRACE_ID}`)
    expect(at.requests[0]?.headers.prefer).toBe('respond-async')
    expect(code).toBe(0)
  })

  test.each([
    ['INVALID_PARAMS', 3],
    ['AGENT_UNAVAILABLE', 3],
    ['INTERNAL_ERROR', 1],
    ['CANCELLED', 4],
    ['OUTCOME_UNKNOWN', 6],
  ] as [ErrorCode, number][])(
    'ends a call that ended with %s with exit code %i and says what to do',
    async (code, exit) => {
      const at = await startHub((_request, response) => answerError(response, code))
      const ending = await runCommandLine(['call', 'tool', '--json'], at.env)
      expect(ending.stderr).toContain(`scripted ${code}`)
      expect(ending.stderr).toContain('place: city, expected string')
      expect(ending.stderr).toMatch(/next: \w+/)
      expect(lines(ending.stdout)).toMatchObject([{ error: { data: { title: code } } }])
      expect(ending.code).toBe(exit)
    },
  )

  test('called a call refused that had failed by its record, for what its agent said', async () => {
    const at = await startHub((_request, response) => {
      const error = toErrorObject(new HubError('HITL_APPROVAL_REQUIRED', 'needs a person'), '/')
      beginStream(response).end(event(1, 'failed', { error }))
    })
    const { code, stderr } = await runCommandLine(['call', 'tool'], at.env)
    expect(stderr).toMatch(/^tool {2}failed$/m)
    expect(stderr).toContain('next: Have an administrator decide')
    expect(code).toBe(3)
  })

  test('called a call refused that goes on while the hub takes our key no more', async () => {
    const at = await startHub(({ body }, response) => {
      if (body.method === 'tools/call') beginStream(response).end()
      else answerError(response, 'UNAUTHENTICATED')
    })
    const { code, stderr } = await runCommandLine(['call', 'tool'], at.env)
    expect(stderr).not.toMatch(/^tool {2}(refused|failed)$/m)
    expect(stderr).toContain('SYNCHUB_API_KEY')
    expect(code).toBe(3)
  })

  test('ends a tool that ran and failed with exit code 1 and prints what it said', async () => {
    const at = await startHub((_request, response) => answerResult(response, { isError: true }))
    const { code, stdout, stderr } = await runCommandLine(['call', 'tool', '--no-color'], at.env)
    expect(stdout).toBe('done\n')
    expect(stderr).toContain(
      `reports a failure (isError)
  next: Mend what the tool names, then run the call again with: synchub rerun ${CALL_ID} --no-color
  call: ${CALL_ID}
  trace: ${TRACE_ID}
`,
    )
    expect(code).toBe(1)
  })

  test('names an image and a link instead of filling the terminal with Base64', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: Buffer.alloc(3000).toString('base64') }
    const link = { type: 'resource_link', name: 'note', uri: 'demo://note', mimeType: 'text/plain' }
    const at = await startHub((_request, response) => answerResult(response, { content: [image, link] }))
    const { stdout } = await runCommandLine(['call', 'tool'], at.env)
    expect(stdout).toBe('image (image/png, 3000 bytes; --json prints them)\ndemo://note (text/plain)\n')
    const whole = await runCommandLine(['call', 'tool', '--json'], at.env)
    expect(lines(whole.stdout)).toMatchObject([{ event: 'complete', data: { content: [image, link] } }])
  })

  test('ends a wait that ran out with exit code 5 and names the call that goes on', async () => {
    const at = await startHub((_request, response) => void beginStream(response))
    const { code, stderr } = await runCommandLine(['call', 'tool', '--timeout', '300ms'], at.env)
    expect(stderr).toContain('the call goes on')
    expect(stderr).toContain(`call: ${CALL_ID}`)
    expect(code).toBe(5)
  })

  test('ends at once with exit code 7 where no hub is, and says how to start one', async () => {
    const at = await startHub(() => undefined)
    await at.stop()
    const { code, stderr } = await runCommandLine(['call', 'tool'], at.env)
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr).toContain('npm start')
    expect(code).toBe(7)
  })

  test('prints nothing of a tool that could steer the terminal', async () => {
    const hostile = '\u001b]0;owned\u0007\u001b[31mred\u001b[0m\u009b2Jline\r\nnext\u202eevil\u0000'
    const at = await startHub((_request, response) => {
      beginStream(response).end(event(1, 'progress', { progress: 1, message: hostile }) + failed(2, hostile))
    })
    for (const words of [
      ['call', 'tool'],
      ['call', 'tool', '--json'],
    ]) {
      const { stdout, stderr } = await runCommandLine(words, at.env)
      expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(stderr).toMatch(/red.*line next.*evil/)
    }
  })

  test('goes on with the call at the first Ctrl-C, and stops waiting at the second', async () => {
    const at = await startHub((_request, response) => {
      beginStream(response).write(progress(1, 10))
    })
    const cli = CliProcess.start(['call', 'tool'], at.env)
    await cli.until('step 1')
    cli.interrupt('signal')
    await cli.until('Press Ctrl-C again')
    cli.interrupt('signal')
    const { code, stderr } = await cli.ended()
    const goesOn = `The call goes on. Cancel it with: synchub cancel ${CALL_ID}`
    // The hint ran on into the next sentence, and was copied with it.
    expect(stderr).toContain(`Press Ctrl-C again to stop waiting. ${goesOn}\n`)
    expect(stderr).toContain(`Stopped waiting. ${goesOn}\n`)
    expect(code).toBe(130)
    expect(at.requests.map(({ path }) => path)).toEqual(['/rpc'])
  })
})
