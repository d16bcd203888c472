import { describe, expect, test } from '@jest/globals'
import { type ErrorCode, HubError, toErrorObject } from '@synchub/protocol'
import { runCommandLine } from './command-line.js'
import { answerError, answerRpc, CALL_ID, TRACE_ID } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

const startHub = playedHubs()
const VIEW = { callId: CALL_ID, traceId: TRACE_ID, tool: 'some_tool' }
const DONE = {
  ...VIEW,
  state: 'completed',
  content: [{ type: 'text', text: 'done' }],
  isError: false,
  executionTimeMs: 5,
}

/** A call that ended otherwise than with a result. */
function ended(state: string, code: ErrorCode, members: Record<string, unknown> = {}) {
  return { ...VIEW, state, error: toErrorObject(new HubError(code, `scripted ${code}`), '/'), ...members }
}

const ask = async (view: unknown, ...words: string[]) => {
  const at = await startHub((_request, response) => answerRpc(response, view))
  return { ...(await runCommandLine(['outcome', ...words], at.env)), requests: at.requests }
}

describe('synchub outcome', () => {
  test('finds a call by its idempotency key and prints its result, running nothing', async () => {
    const { code, stdout, requests } = await ask(DONE, '--key', 'order-88')
    expect(stdout).toBe(`call ${CALL_ID} in trace ${TRACE_ID}: completed\ndone\n`)
    expect(code).toBe(0)
    expect(requests[0]?.body).toMatchObject({ method: 'calls/get', params: { idempotencyKey: 'order-88' } })
    expect(new Set(requests.map(({ body }) => body.method))).toEqual(new Set(['calls/get']))
  })

  test('finds it by its callId, and prints its record with --json', async () => {
    const { code, stdout, requests } = await ask(DONE, CALL_ID, '--json')
    expect(JSON.parse(stdout)).toEqual(DONE)
    expect(code).toBe(0)
    expect(requests[0]?.body.params).toEqual({ callId: CALL_ID })
  })

  test.each([
    [ended('failed', 'INTERNAL_ERROR'), 1],
    [ended('failed', 'AGENT_UNAVAILABLE'), 3],
    [ended('refused', 'INVALID_PARAMS'), 3],
    [ended('cancelled', 'CANCELLED'), 4],
    [ended('unknown', 'OUTCOME_UNKNOWN'), 6],
  ])('ends as the call did: $state, $error.data.title', async (view, exit) => {
    const people = await ask(view, '--key', 'k')
    expect(people.stdout).toContain(`: ${view.state}\n`)
    expect(people.stderr).toContain(`(${view.error.data.title}, `)
    const machine = await ask(view, '--key', 'k', '--json')
    expect([people.code, machine.code]).toEqual([exit, exit])
  })

  test('tells a failure that the tool reports, and a call that goes on, apart from success', async () => {
    const failed = await ask({ ...DONE, isError: true }, CALL_ID)
    expect(failed.code).toBe(1)
    expect(failed.stdout).toBe(`call ${CALL_ID} in trace ${TRACE_ID}: tool_failed\ndone\n`)
    expect(failed.stderr).toContain('the tool ran and reports a failure')
    const open = await ask({ ...VIEW, state: 'running' }, CALL_ID)
    expect(open).toMatchObject({ code: 5, stdout: `call ${CALL_ID} in trace ${TRACE_ID}: running\n` })
  })

  test('shows what came too late as late, and still as a call whose outcome was unknown', async () => {
    const late = { at: '2026-01-01T00:00:09.000Z', result: { id: 7 }, content: [], isError: true, executionTimeMs: 9 }
    const resolution = { at: late.at, by: 'Agent', reason: 'the agent answered late' }
    const { code, stdout, stderr } = await ask(ended('unknown', 'OUTCOME_UNKNOWN', { late, resolution }), '--key', 'k')
    expect(stdout.split('\n').slice(1)).toEqual([
      'late, at 2026-01-01T00:00:09.000Z, tool_failed: {"id":7}',
      'resolved by Agent: the agent answered late',
      '',
    ])
    // It was told to look at the agent's side, where somebody had looked.
    expect(stderr).toContain('next: Go by what became of the call')
    expect(code).toBe(6)
  })

  test('says that no call was made with a key', async () => {
    const at = await startHub((_request, response) => answerError(response, 'NOT_FOUND'))
    const { code, stderr } = await runCommandLine(['outcome', '--key', 'k'], at.env)
    expect(stderr).toContain('no call of yours was made with this idempotency key')
    expect(code).toBe(3)
  })

  test.each([[[]], [[CALL_ID, '--key', 'k']]])(
    'wants one name of the call, by which it is found: %j',
    async (words) => {
      const { code, stderr, requests } = await ask(DONE, ...words)
      expect(stderr).toContain('give either a callId or --key <key>')
      expect(code).toBe(2)
      expect(requests).toEqual([])
    },
  )
})
