import { describe, expect, test } from '@jest/globals'
import { runCommandLine } from './command-line.js'
import { answerError, answerJson } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

const startHub = playedHubs()

const LETTER = {
  callId: 'call-1',
  traceId: 'nightly',
  owner: 'o',
  state: 'unknown',
  agent: 'SyncETA',
  tool: 'synceta_run_regression',
  caller: 'SyncVerse',
  endedAt: '2026-01-01T00:00:09Z',
  error: { code: -31005, message: 'Outcome Unknown', data: { title: 'OUTCOME_UNKNOWN', detail: 'connection lost' } },
}
const RESOLUTION = { by: 'kim', reason: 'it ran, see ticket 88', at: '2026-01-02T00:00:00Z' }

describe('synchub dead-letters', () => {
  test('lists what waits for a person, with the reason, and passes the filters on', async () => {
    const at = await startHub((_request, response) => answerJson(response, { items: [LETTER] }))
    const words = ['dead-letters', '--agent', 'SyncETA', '--state', 'unknown', '--from', '24h', '--owner', 'o']
    const { code, stdout } = await runCommandLine(words, at.env)
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'CALL    STATE    TOOL                            OWNER  ENDED                 WHY',
      'call-1  unknown  SyncETA.synceta_run_regression  o      2026-01-01T00:00:09Z  connection lost',
      '',
    ])
    const { path, query } = at.requests[0] ?? {}
    expect(path).toBe('/dead-letters')
    expect(Object.fromEntries(query ?? [])).toEqual({
      agent: 'SyncETA',
      state: 'unknown',
      owner: 'o',
      from: expect.any(String),
      limit: '20',
    })
    expect(code).toBe(0)
  })

  test('tells of those that were resolved who said what, and does not call that why they ended so', async () => {
    const resolved = { ...LETTER, resolution: RESOLUTION }
    const at = await startHub((_request, response) => answerJson(response, { items: [resolved] }))
    const { stdout } = await runCommandLine(['dead-letters', '--resolved'], at.env)
    expect(at.requests[0]?.query.get('resolved')).toBe('1')
    expect(stdout).toMatch(/ENDED +RESOLVED\n.* kim: it ran, see ticket 88\n/)
  })

  test('says that none waits, and goes on where a list ended', async () => {
    const at = await startHub(({ query }, response) =>
      answerJson(response, query.has('cursor') ? { items: [] } : { items: [LETTER], nextCursor: 'c1' }),
    )
    const given = ['--limit', '1', '--tool', 'a b', '--from', '2026-01-01T00:00:00.000Z', '--json']
    const first = await runCommandLine(['dead-letters', ...given], at.env)
    expect(JSON.parse(first.stdout)).toEqual(LETTER)
    const filters = "--limit 1 --tool 'a b' --from 2026-01-01T00:00:00.000Z --json"
    expect(first.stderr).toBe(`more: synchub dead-letters ${filters} --cursor c1\n`)
    expect(await runCommandLine(['dead-letters', '--cursor', 'c1'], at.env)).toMatchObject({
      code: 0,
      stderr: 'no call waits for a person\n',
    })
  })
})

describe('synchub resolve', () => {
  test('sends the reason for each call, and says where somebody had been first', async () => {
    const at = await startHub(({ path }, response) => {
      const callId = path.split('/')[2]
      answerJson(response, {
        callId,
        traceId: 'nightly',
        state: 'unknown',
        resolved: callId === 'call-1',
        resolution: RESOLUTION,
      })
    })
    const { code, stdout } = await runCommandLine(['resolve', 'call-1', 'call-2', '--reason', 'it ran'], at.env)
    expect(at.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/calls/call-1/resolve', { reason: 'it ran' }],
      ['/calls/call-2/resolve', { reason: 'it ran' }],
    ])
    expect(stdout).toBe('call-1  resolved\ncall-2  had been resolved by kim: it ran, see ticket 88\n')
    expect(code).toBe(0)
  })

  test('goes on with the others where one is refused, and its exit says that one was', async () => {
    const at = await startHub(({ path }, response) => {
      if (path === '/calls/call-1/resolve') return answerError(response, 'NOT_FOUND')
      const answer = { callId: 'call-2', traceId: 'nightly', state: 'failed', resolved: true, resolution: RESOLUTION }
      return answerJson(response, answer)
    })
    const words = ['resolve', 'call-1', 'call-2', '--reason', 'it ran', '--json']
    const { code, stdout, stderr } = await runCommandLine(words, at.env)
    const [refused, resolved] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(refused).toMatchObject({ callId: 'call-1', error: { data: { title: 'NOT_FOUND' } } })
    expect(resolved).toMatchObject({ callId: 'call-2', resolved: true, resolution: RESOLUTION })
    expect(stderr).not.toBe('')
    expect(code).not.toBe(0)
  })

  test('wants a reason', async () => {
    const at = await startHub((_request, response) => answerJson(response, {}))
    const { code, stderr } = await runCommandLine(['resolve', 'call-1'], at.env)
    expect(code).toBe(2)
    expect(stderr).toContain('--reason')
    expect(at.requests).toEqual([])
  })
})
