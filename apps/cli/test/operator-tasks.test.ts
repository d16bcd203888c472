import { describe, expect, test } from '@jest/globals'
import { runCommandLine } from './command-line.js'
import { answerError, answerJson, answerRpc } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

const startHub = playedHubs()

const AT = '2026-01-01T00:00:00.000Z'

function trace(traceId: string, more: object = {}) {
  const counts = { callCount: 2, openCalls: 0, lastSeq: 9 }
  return { traceId, owner: 'o', state: 'failed', rootTool: 'plan', caller: 'CI', ...counts, updatedAt: AT, ...more }
}

function call(callId: string, state: string, endedAt: string, children: object[] = []) {
  return { callId, traceId: 't', agent: 'SyncETA', tool: callId, state, endedAt, children }
}

describe('the failed run of an hour ago', () => {
  const tree = [
    call('root', 'failed', '2026-01-01T00:00:09Z', [
      call('fine', 'completed', '2026-01-01T00:00:01Z'),
      call('first', 'failed', '2026-01-01T00:00:02Z'),
      call('later', 'failed', '2026-01-01T00:00:03Z'),
    ]),
  ]
  const error = { code: -32603, message: 'Internal Error', data: { detail: 'quantity must be a number' } }

  const playFailed = () =>
    startHub(({ path, body }, response) => {
      if (path === '/traces') return answerJson(response, { items: [trace('night'), trace('gone')], asOf: AT })
      if (path === '/traces/night') return answerJson(response, { ...trace('night'), calls: tree })
      if (body.params?.callId === 'first') return answerRpc(response, { ...call('first', 'failed', AT), error })
      return answerError(response, 'NOT_FOUND')
    })

  test('is listed with the call to run again and the reason of what went wrong first', async () => {
    const at = await playFailed()
    const { code, stdout } = await runCommandLine(['traces', '--failed', '--since', '2h'], at.env)
    expect(stdout.trimEnd().split('\n')).toEqual([
      'TRACE  STATE   TOOL  CALLER  UPDATED                   CALL  WHY',
      `night  failed  plan  CI      ${AT}  root  SyncETA.first: quantity must be a number`,
      // Removed while it was asked for.
      `gone   failed  plan  CI      ${AT}  -     -`,
    ])
    expect(at.requests[0]?.query.get('from')).toMatch(/^\d{4}-/)
    expect(at.requests[0]?.query.get('state')).toBe('unknown,failed,tool_failed,refused')
    expect(code).toBe(0)
  })

  test('is told to machines with its cause', async () => {
    const at = await playFailed()
    const { stdout } = await runCommandLine(['traces', '--state', 'failed', '--json'], at.env)
    const [line = ''] = stdout.split('\n')
    const cause = { callId: 'first', agent: 'SyncETA', tool: 'first', reason: 'quantity must be a number' }
    expect(JSON.parse(line)).toMatchObject({ traceId: 'night', rootCallId: 'root', cause })
  })

  test('was missed where its tool ran and said that it failed', async () => {
    const calls = [
      call('root', 'completed', '2026-01-01T00:00:09Z', [
        { ...call('print', 'completed', '2026-01-01T00:00:02Z'), isError: true },
      ]),
    ]
    const content = [{ type: 'text', text: 'out of paper' }]
    const at = await startHub(({ path }, response) => {
      const row = trace('night', { state: 'tool_failed' })
      if (path === '/traces') return answerJson(response, { items: [row], asOf: AT })
      if (path === '/traces/night') return answerJson(response, { ...row, calls })
      return answerRpc(response, { ...call('print', 'completed', AT), isError: true, content })
    })
    const { stdout } = await runCommandLine(['traces', '--failed'], at.env)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      `night  tool_failed  plan  CI      ${AT}  root  SyncETA.print: out of paper`,
    )
  })

  test('was named with a dot and no agent where no agent has its tool', async () => {
    const calls = [{ ...call('root', 'refused', AT), agent: '' }]
    const refusal = { code: -32601, message: 'Method Not Found', data: { detail: 'the tool root is not registered' } }
    const at = await startHub(({ path }, response) => {
      const row = trace('night', { state: 'refused' })
      if (path === '/traces') return answerJson(response, { items: [row], asOf: AT })
      if (path === '/traces/night') return answerJson(response, { ...row, calls })
      return answerRpc(response, { ...call('root', 'refused', AT), agent: '', error: refusal })
    })
    const { stdout } = await runCommandLine(['traces', '--failed'], at.env)
    expect(stdout).toContain('root  root: the tool root is not registered')
  })

  test('was left out without a word where a state was asked for besides', async () => {
    const { code, stderr } = await runCommandLine(['traces', '--failed', '--state', 'completed'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('give either --failed or --state')])
  })

  test('costs no more requests where no bad ending was asked for', async () => {
    const at = await playFailed()
    await runCommandLine(['traces'], at.env)
    expect(at.requests.map(({ path }) => path)).toEqual(['/traces'])
  })
})

describe('everything that one caller has running', () => {
  const open = [call('root', 'running', AT, [call('child', 'queued', AT), call('done', 'completed', AT)])]

  const playRunning = () =>
    startHub(({ path, query }, response) => {
      if (path === '/traces' && !query.has('cursor')) {
        return answerJson(response, { items: [trace('one', { state: 'running' })], asOf: AT, nextCursor: 'c1' })
      }
      if (path === '/traces') return answerJson(response, { items: [trace('two', { state: 'running' })], asOf: AT })
      if (path === '/traces/one') return answerJson(response, { ...trace('one', { openCalls: 2 }), calls: open })
      if (path === '/traces/two')
        return answerJson(response, { ...trace('two', { openCalls: 1 }), calls: [call('solo', 'running', AT)] })
      return answerJson(response, { callId: path.split('/')[2], state: 'cancelled', cancelled: true })
    })

  const cancelled = (requests: readonly { readonly path: string }[]) =>
    requests.filter(({ path }) => path.endsWith('/cancel')).map(({ path }) => path.split('/')[2])

  test('is stopped once its number was confirmed, each call before those that were made for it', async () => {
    const at = await playRunning()
    const { code, stdout, stderr } = await runCommandLine(['cancel', '--caller', 'Runaway'], at.env, 'y\n')
    expect(stderr).toContain('Cancel 3 open calls in 2 traces of Runaway? [y/N]')
    expect(cancelled(at.requests)).toEqual(['root', 'child', 'solo'])
    expect(at.requests[0]?.query.get('caller')).toBe('Runaway')
    expect(stdout).toBe('root  cancelled\nchild  cancelled\nsolo  cancelled\n')
    expect(code).toBe(0)
  })

  test.each(['n\n', ''])('goes on where the answer is %j', async (input) => {
    const at = await playRunning()
    const { code, stderr } = await runCommandLine(['cancel', '--caller', 'Runaway'], at.env, input)
    expect(stderr).toContain('nothing was cancelled; answer y, or add --yes')
    expect(cancelled(at.requests)).toEqual([])
    expect(code).toBe(2)
  })

  test('is stopped unasked with --yes', async () => {
    const at = await playRunning()
    const words = ['cancel', '--caller', 'Runaway', '--yes', '--reason', 'runs away', '--json']
    const { code, stdout, stderr } = await runCommandLine(words, at.env)
    expect(stdout.trim().split('\n')).toHaveLength(3)
    expect(at.requests.at(-1)?.body).toEqual({ reason: 'runs away' })
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test('was said to be stopped while calls ran on that its snapshot has no room for', async () => {
    let openCalls = 1200
    const at = await startHub(({ path }, response) => {
      if (path === '/traces') return answerJson(response, { items: [trace('wide', { state: 'running' })], asOf: AT })
      if (path === '/traces/wide')
        return answerJson(response, {
          ...trace('wide', { openCalls }),
          calls: [call('shown', 'running', AT)],
          truncated: true,
        })
      openCalls -= 1
      return answerJson(response, { callId: 'shown', state: 'cancelled', cancelled: true })
    })
    const words = ['cancel', '--caller', 'Runaway', '--yes']
    const { code, stderr } = await runCommandLine(words, at.env)
    expect(stderr).toContain('still open are calls that had no room in the snapshots of wide')
    expect(code).toBe(5)
    openCalls = 2
    const asked = await runCommandLine(['cancel', '--caller', 'Runaway'], at.env, 'y\n')
    expect(asked.stderr).toContain('Cancel 2 open calls in 1 trace of Runaway? [y/N]')
  })

  test('is said to be nothing where nothing runs', async () => {
    const at = await startHub((_request, response) => answerJson(response, { items: [], asOf: AT }))
    const { code, stderr } = await runCommandLine(['cancel', '--caller', 'Runaway'], at.env)
    expect(stderr).toBe('Runaway has nothing running\n')
    expect(code).toBe(0)
  })

  test('is not mixed up with calls that are named', async () => {
    for (const words of [['cancel'], ['cancel', 'call-1', '--caller', 'Runaway']]) {
      expect(await runCommandLine(words)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('either callIds or --caller'),
      })
    }
  })
})

const PACES: Readonly<Record<string, object>> = {
  Fast: { pace: { runs: 1, failed: 0, medianMs: 320, slowMs: 320 } },
  Slow: { pace: { runs: 3, failed: 1, medianMs: 4200, slowMs: 185_000 } },
}

describe('the slowest agent', () => {
  const agents = ['Fast', 'Slow', 'Idle'].map((name) => ({
    name,
    available: name !== 'Slow',
    trust: 'local',
    connector: 'native',
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    refused: [],
    ...PACES[name],
  }))

  const playAgents = () => startHub((_request, response) => answerJson(response, { agents }))

  test('stands first', async () => {
    const at = await playAgents()
    const { code, stdout } = await runCommandLine(['agents', '--slowest'], at.env)
    expect(stdout.trimEnd().split('\n')).toEqual([
      'AGENT  STATE      SLOWEST 5%  MEDIAN  FAILED  OF RUNS',
      'Slow   away       3m05s       4.2s    1       3',
      'Fast   available  320ms       320ms   0       1',
      'Idle   available  -           -       -       -',
    ])
    expect(code).toBe(0)
  })

  test('is told to machines with its figures', async () => {
    const at = await playAgents()
    const { stdout } = await runCommandLine(['agents', '--slowest', '--json'], at.env)
    const [first = ''] = stdout.split('\n')
    expect(JSON.parse(first)).toMatchObject({ name: 'Slow', pace: { slowMs: 185_000, runs: 3 } })
    expect(at.requests.map(({ path }) => path)).toEqual(['/agents'])
  })
})
