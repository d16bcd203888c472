import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, jest, test } from '@jest/globals'
import { CliProcess } from './cli-process.js'
import { runCommandLine } from './command-line.js'
import {
  answerError,
  answerJson,
  answerRpc,
  beginStream,
  CALL_ID,
  complete,
  END,
  event,
  failed,
  playTrace,
  progress,
  TRACE_ID,
} from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

// A child process needs most of a second to start, and more on a busy machine.
jest.setTimeout(30_000)

const startHub = playedHubs()

const LOST = { code: -31005, message: 'Outcome Unknown', data: { title: 'OUTCOME_UNKNOWN', detail: 'cut off' } }

const WHOLE_TRACE =
  event(1, 'received', { caller: 'SyncVerse', agent: 'SyncInsight' }) +
  event(2, 'started', { attempt: 1 }) +
  progress(3, 50) +
  failed(4, 'the agent broke') +
  END

describe('synchub watch', () => {
  test('prints one plain line for each event in a pipe and ends with the trace', async () => {
    const error = { code: -32603, message: 'Internal Error', data: { title: 'INTERNAL_ERROR' } }
    const at = await startHub(playTrace(WHOLE_TRACE, { state: 'failed', error }))
    const { code, stdout } = await runCommandLine(['watch', TRACE_ID], at.env)
    const words = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  ').slice(1))
    expect(words.map(([seq, name]) => [seq, name])).toEqual([
      ['#1', 'received'],
      ['#2', 'started'],
      ['#3', 'progress'],
      ['#4', 'failed'],
    ])
    expect(words[0]?.at(-1)).toBe('from SyncVerse to SyncInsight')
    expect(words[2]?.slice(-2)).toEqual(['50%', 'step 3'])
    expect(words[3]?.at(-1)).toBe('Internal Error: the agent broke')
    expect(code).toBe(1)
  })

  test('prints one JSON object per event with --json, and asks for what was asked of it', async () => {
    const at = await startHub(playTrace(progress(3, 30) + END))
    const words = [
      'watch',
      TRACE_ID,
      '--json',
      '--after',
      '2-a',
      '--call',
      CALL_ID,
      '--event',
      'progress,complete',
      '--follow',
    ]
    const { stdout } = await runCommandLine(words, at.env)
    expect(JSON.parse(stdout)).toMatchObject({ id: '3-a', event: 'progress', data: { seq: 3, message: 'step 3' } })
    expect(at.requests[0]?.query.toString()).toBe(`after=2-a&callId=${CALL_ID}&event=progress%2Ccomplete&follow=1`)
  })

  test('says that it reconnects, on standard error, and shows each event once', async () => {
    let connections = 0
    const at = await startHub((request, response) =>
      playTrace(connections++ === 0 ? progress(1, 10) : progress(1, 10) + complete(2) + END)(request, response),
    )
    const { stdout, stderr } = await runCommandLine(['watch', TRACE_ID, '--json'], at.env)
    expect(stdout.match(/"seq":\d+/g)).toEqual(['"seq":1', '"seq":2'])
    expect(stderr).toContain('closed the stream before the trace had ended; trying again in')
  })

  test('leaves the calls alone at Ctrl-C and says how to go on watching', async () => {
    const at = await startHub((_request, response) => {
      beginStream(response).write(progress(1, 10))
    })
    const cli = CliProcess.start(['watch', TRACE_ID, '--url', at.env.SYNCHUB_URL ?? ''])
    await cli.until('step 1')
    cli.interrupt('signal')
    const { code, stderr } = await cli.ended()
    expect(stderr).toContain(
      `the calls go on. Go on watching with: synchub watch ${TRACE_ID} --after 1-a --url ${at.url}`,
    )
    expect(code).toBe(130)
    expect(at.requests.map(({ path }) => path)).toEqual([`/traces/${TRACE_ID}/events`])
  })

  test('went on after Ctrl-C with another view than was watched: the suggested command had lost its options', async () => {
    let interrupt: () => void = () => undefined
    const interrupts = {
      listen(listener: () => void) {
        interrupt = listener
        return () => undefined
      },
    }
    const at = await startHub((_request, response) => {
      beginStream(response)
      interrupt()
    })
    const words = ['watch', TRACE_ID, '--follow', '--call', "it's $HOME", '--event', 'progress,complete']
    const more = ['--owner', 'Kim & Lee', '--json', '--url', at.url, '--no-color']
    const { code, stderr } = await runCommandLine([...words, '--after', '2-a', ...more], {}, '', interrupts)
    expect(code).toBe(130)
    const line = stderr.trimEnd().replace(/^.*Go on watching with: /, '')
    const pasted = execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
    expect(pasted.trimEnd().split('\n')).toEqual(['synchub', ...words, '--after', '2-a', ...more])
  })

  test('ends quietly when whoever reads it has left', async () => {
    const at = await startHub(async (_request, response) => {
      beginStream(response)
      for (let seq = 1; !response.destroyed; seq++) {
        if (!response.write(progress(seq, 1))) await once(response, 'drain').catch(() => undefined)
        await new Promise(setImmediate)
      }
    })
    const cli = CliProcess.start(['watch', TRACE_ID, '--json'], at.env)
    await cli.until('"seq":1')
    cli.closeOutput()
    const { code, stderr } = await cli.ended()
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test('says that a trace is not there with exit code 3', async () => {
    const at = await startHub((_request, response) => answerError(response, 'NOT_FOUND'))
    const { code, stderr } = await runCommandLine(['watch', TRACE_ID], at.env)
    expect(stderr).toContain('NOT_FOUND')
    expect(code).toBe(3)
  })

  test('prints with --result what the trace came to, and the page that shows it', async () => {
    const content = [{ type: 'text', text: 'The report is rep-1.' }]
    const at = await startHub(playTrace(complete(2) + END, { state: 'completed', isError: false, content }))
    const { code, stdout, stderr } = await runCommandLine(['watch', TRACE_ID, '--result'], at.env)
    expect(stdout).toContain('The report is rep-1.')
    expect(stderr).toContain(`Page: ${at.url}/ui/traces/${TRACE_ID}`)
    expect(code).toBe(0)
  })

  test('printed with --result what a plan came to where one call of it was watched', async () => {
    const content = [{ type: 'text', text: 'The report is rep-2.' }]
    const child = { callId: CALL_ID, traceId: TRACE_ID, state: 'completed', children: [] }
    const root = { callId: 'root', traceId: TRACE_ID, state: 'completed', children: [child] }
    const at = await startHub(({ path, body }, response) => {
      if (path.endsWith('/events')) return void beginStream(response).end(END)
      if (path === `/traces/${TRACE_ID}`) return answerJson(response, { traceId: TRACE_ID, calls: [root] })
      const isChild = body.params?.callId === CALL_ID
      return answerRpc(response, {
        ...(isChild ? child : root),
        executionTimeMs: 5,
        isError: false,
        content: isChild ? content : [],
      })
    })
    const words = ['watch', TRACE_ID, '--call', CALL_ID, '--result']
    const { code, stdout, stderr } = await runCommandLine(words, at.env)
    expect(stdout).toContain('The report is rep-2.')
    expect(stderr).toContain(`Page: ${at.url}/ui/traces/${TRACE_ID}?call=${CALL_ID}\n`)
    expect(code).toBe(0)
  })

  test('ends with --result as its call did', async () => {
    const at = await startHub(playTrace(END, { state: 'unknown', error: LOST }))
    const { code, stderr } = await runCommandLine(['watch', TRACE_ID, '--result'], at.env)
    expect(stderr).toContain('OUTCOME_UNKNOWN')
    expect(code).toBe(6)
  })

  test.each([
    [1, 'a tool that said that it failed', { state: 'completed', isError: true, content: [] }],
    [1, 'a failure', { state: 'failed', error: { code: -32603, message: 'x', data: { title: 'INTERNAL_ERROR' } } }],
    [6, 'an outcome that nobody knows', { state: 'unknown', error: LOST }],
  ])('ended well, now with exit code %i, after %s', async (exit, _, end) => {
    const at = await startHub(playTrace(END, end))
    for (const more of [[], ['--call', CALL_ID]]) {
      expect(await runCommandLine(['watch', TRACE_ID, ...more], at.env)).toMatchObject({ code: exit })
    }
  })

  test('ends well where a call failed that its caller went on without', async () => {
    const root = { callId: CALL_ID, traceId: TRACE_ID, state: 'completed' }
    const child = { callId: 'child', traceId: TRACE_ID, state: 'completed', isError: true, children: [] }
    const at = await startHub(({ path }, response) => {
      if (path.endsWith('/events')) return void beginStream(response).end(END)
      return answerJson(response, { traceId: TRACE_ID, calls: [{ ...root, children: [child] }] })
    })
    expect(await runCommandLine(['watch', TRACE_ID], at.env)).toMatchObject({ code: 0 })
    expect(await runCommandLine(['watch', TRACE_ID, '--call', 'child'], at.env)).toMatchObject({ code: 1 })
  })

  test('ended well without a line where the trace has no such call', async () => {
    const at = await startHub(playTrace(END))
    const { code, stderr } = await runCommandLine(['watch', TRACE_ID, '--call', 'mistyped'], at.env)
    expect(stderr).toContain('has no call "mistyped"')
    expect(code).toBe(3)
  })

  test('names the known events when one is unknown', async () => {
    const { code, stderr } = await runCommandLine(['watch', TRACE_ID, '--event', 'progres'])
    expect(stderr).toContain('Known events: received, accepted')
    expect(code).toBe(2)
  })
})
