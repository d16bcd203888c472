import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { maskRunAccess } from '@synchub/auth'
import { closeAll } from '../cleanup.js'
import { callTool, getCall, getJson } from '../hub-requests.js'
import { expectProblem } from '../problem.js'
import { sendResult } from '../scripted-agent.js'
import { dumpStore } from '../store-dump.js'
import { until } from '../until.js'
import { as, beginPlan, type DelegatingHub, type HeldWork, runDelegatingHub } from './delegating-hub.js'

let hub: DelegatingHub

beforeAll(async () => {
  hub = await runDelegatingHub()
})

afterAll(closeAll)

const untilEnded = (work: HeldWork) =>
  until(async () => !['queued', 'running'].includes((await getCall(hub.url, work.callId, as('alice'))).state))

describe('an agent that shows its access token', () => {
  test('never brings it into the store, a stream, an answer or a log', async () => {
    const seen: string[] = []
    const shown = async (end: (work: HeldWork, text: string) => unknown, traceId: string) => {
      const work = await beginPlan(hub, { meta: { traceId } })
      const text = `x${work.accessToken}`
      seen.push(work.accessToken.slice(-43))
      work.progress(text)
      await end(work, text)
      await untilEnded(work)
      return getCall(hub.url, work.callId, as('alice'))
    }
    const told = await shown(
      (work, text) => work.answer({ result: { text, [text]: [text] }, content: [{ type: 'text', text }] }),
      'told',
    )
    expect(told).toMatchObject({
      state: 'completed',
      result: { text: 'x[redacted]' },
      progress: { message: 'x[redacted]' },
    })
    const failed = await shown(
      (work, text) => work.fail({ code: -32603, message: `Internal Error: ${text}`, data: { detail: text } }),
      'failed',
    )
    expect(failed.error?.message).toContain('x[redacted]')
    const asked = await shown(
      (work, text) =>
        work.fail({
          code: -32001,
          message: `HITL Approval Required: ${text}`,
          data: { title: 'HITL_APPROVAL_REQUIRED', detail: text },
        }),
      'asked',
    )
    expect(asked.error?.data.approvalTicketId).toMatch(/^ticket-/)
    await shown(async (work, text) => {
      const refused = await callTool(hub.url, 'make', { deep: [{ text }] }, {}, work.headers)
      expectProblem(refused, 'INVALID_PARAMS', 'request-1')
      expect(refused.body.error?.data).toMatchObject({ path: 'arguments' })
      work.answer({ result: {} })
    }, 'handed-on')
    const events = await Promise.all(
      ['told', 'failed', 'asked', 'handed-on'].map((traceId) =>
        getJson(hub.url, `/traces/${traceId}/events`, as('alice')),
      ),
    )
    const everything = [...(await dumpStore(hub)), ...hub.logs, JSON.stringify(events.map(({ body }) => body))].join(
      '\n',
    )
    expect(seen).toHaveLength(4)
    for (const secret of seen) expect(everything).not.toContain(secret)
    expect(maskRunAccess(everything, '')).toBe(everything)
  })

  test('of a direct call does not give it to the caller either', async () => {
    const answer = callTool(hub.url, 'plan_now', {}, { traceId: 'direct' }, as('alice'))
    await until(() => hub.verse.agent.calls.some(({ meta }) => meta.traceId === 'direct'))
    const callId = String(hub.verse.agent.calls.find(({ meta }) => meta.traceId === 'direct')?.id)
    const work = await hub.verse.workOn(callId)
    work.answer({ result: { text: work.accessToken } })
    expect((await answer).body.result).toMatchObject({ structuredContent: { text: '[redacted]' } })
  })

  test('of a run that never was may answer what looks like one', async () => {
    const text = 'shr_ is how they begin'
    hub.boot.behave((res, { id }) => sendResult(res, id, { content: [{ type: 'text', text }] }))
    expect((await callTool(hub.url, 'make', {}, {}, as('alice'))).body.result?.content).toEqual([
      { type: 'text', text },
    ])
  })
})
