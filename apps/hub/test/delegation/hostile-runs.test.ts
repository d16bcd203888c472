import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { maskRunAccess } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import {
  callFrame,
  callTool,
  getCall,
  getJson,
  postJson,
  postRpc,
  type RpcBody,
  request,
  startCall,
} from '../hub-requests.js'
import { expectProblem } from '../problem.js'
import { sendFailure, sendResult } from '../scripted-agent.js'
import { dumpStore } from '../store-dump.js'
import { until } from '../until.js'
import { as, beginPlan, type DelegatingHub, type HeldWork, runDelegatingHub } from './delegating-hub.js'

let hub: DelegatingHub

beforeAll(async () => {
  hub = await runDelegatingHub()
})

afterAll(closeAll)

const callIdOf = ({ headers }: { readonly headers: Headers }) => String(headers.get('SyncHub-Call-Id'))
const bearer = (accessToken: string) => ({ Authorization: `Bearer ${accessToken}` })
const untilEnded = (work: HeldWork) =>
  until(async () => !['queued', 'running'].includes((await getCall(hub.url, work.callId, as('alice'))).state))

describe('the access token of a run that is over', () => {
  test.each([
    ['completed', (work: HeldWork) => work.answer({ result: {} })],
    ['unknown', (work: HeldWork) => work.lose()],
    ['cancelled', (work: HeldWork) => postJson(hub.url, `/calls/${work.callId}/cancel`, {}, as('alice'))],
  ] as const)('is refused everywhere, and the reason says so: %s', async (state, end) => {
    const work = await beginPlan(hub)
    await end(work)
    await untilEnded(work)
    const before = hub.boot.calls.length
    const answers = [
      await callTool(hub.url, 'make', {}, {}, work.headers),
      await postRpc(hub.url, request('tools/list'), work.headers),
      await getJson(hub.url, `/calls/${work.callId}`, work.headers),
      await getJson(hub.url, `/traces/${work.traceId}/events`, work.headers),
    ]
    for (const answer of answers) {
      expectProblem(answer, 'UNAUTHENTICATED')
      expect(answer.body.error?.message).toContain(`the run of this access token is over: its call is ${state}`)
    }
    expect(hub.boot.calls).toHaveLength(before)
  })
})

describe('an access token that was not given like this', () => {
  test('is refused and tells nothing of the call that it names', async () => {
    const [work, other] = [await beginPlan(hub), await beginPlan(hub)]
    const { accessToken } = work
    const forged = [
      accessToken.replace(work.callId, other.callId),
      accessToken.replace('.1.', '.2.'),
      `${accessToken.slice(0, -1)}${accessToken.endsWith('A') ? 'B' : 'A'}`,
      accessToken.replace(work.callId, '01a00000-0000-7000-8000-000000000000'),
    ]
    const messages = new Set<unknown>()
    for (const text of forged) {
      const answer = await callTool(hub.url, 'make', {}, {}, bearer(text))
      expectProblem(answer, 'UNAUTHENTICATED')
      messages.add(answer.body.error?.message)
    }
    expect([...messages]).toEqual([expect.stringContaining('the run access token is not valid')])
    for (const text of [accessToken.slice(0, -1), `${accessToken}A`, 'shr_']) {
      expectProblem(await callTool(hub.url, 'make', {}, {}, bearer(text)), 'UNAUTHENTICATED')
    }
  })

  test('never passes for nobody on a hub that lets everybody in', async () => {
    const open = await runDelegatingHub({ access: { mode: 'none' } })
    const work = await open.verse.workOn(await startCall(open.url, 'plan', {}, { callerAgent: 'Console' }))
    expectProblem(await callTool(open.url, 'make', {}, {}, bearer(work.accessToken.slice(0, -1))), 'UNAUTHENTICATED')
    expectProblem(await callTool(open.url, 'browse', {}, {}, work.headers), 'FORBIDDEN', 'request-1')
    const made = await callTool(open.url, 'make', {}, {}, work.headers)
    expect(await getCall(open.url, callIdOf(made))).toMatchObject({ parentCallId: work.callId, caller: 'Verse' })
    expect((await getJson(open.url, '/traces', work.headers)).status).toBe(403)
    work.answer({ result: {} })
    await until(async () => (await getCall(open.url, work.callId)).state === 'completed')
    expectProblem(await callTool(open.url, 'make', {}, {}, work.headers), 'UNAUTHENTICATED')
  })

  test('holds at every hub of the same store', async () => {
    const second = await hub.startHub()
    const work = await beginPlan(hub)
    expect((await callTool(second.url, 'make', {}, {}, work.headers)).status).toBe(200)
    work.answer({ result: {} })
    await untilEnded(work)
    expectProblem(await callTool(second.url, 'make', {}, {}, work.headers), 'UNAUTHENTICATED')
  })
})

describe('an agent at work', () => {
  test('gains nothing over its caller, nor over what it may delegate', async () => {
    const work = await beginPlan(hub, { caller: 'narrow' })
    const before = hub.boot.calls.length + hub.insight.calls.length
    expect((await callTool(hub.url, 'make', {}, {}, work.headers)).status).toBe(200)
    // The caller may not call these; Verse could, for another.
    for (const name of ['drop', 'Boot.drop', 'search']) {
      expectProblem(await callTool(hub.url, name, {}, {}, work.headers), 'FORBIDDEN', 'request-1')
    }
    // Nobody may call these through Verse, itself included; a tool that does not exist looks the same.
    const wide = await beginPlan(hub)
    for (const name of ['browse', 'Insight.browse', 'plan', 'Verse.plan_now', 'nothing', 'Boot.nothing']) {
      const answer = await callTool(hub.url, name, {}, {}, wide.headers)
      expect([name, answer.status]).toEqual([name, name === 'Boot.nothing' ? 404 : 403])
    }
    const aimed = await callTool(hub.url, 'browse', {}, { targetAgent: 'Insight' }, wide.headers)
    expectProblem(aimed, 'FORBIDDEN', 'request-1')
    expect(hub.boot.calls.length + hub.insight.calls.length).toBe(before + 1)
  })

  test('is bounded in every request of a batch', async () => {
    const [work, other] = [await beginPlan(hub), await beginPlan(hub)]
    const frames = [
      callFrame('make', {}, {}),
      callFrame('make', {}, { traceId: other.traceId }),
      callFrame('browse', {}, {}),
      request('calls/get', { callId: other.callId }),
      request('calls/cancel', { callId: other.callId }),
    ].map((frame, id) => ({ ...frame, id }))
    const { body } = await postRpc<readonly RpcBody[]>(hub.url, frames, work.headers)
    expect(body.map(({ error }) => error?.data.title)).toEqual([
      undefined,
      'INVALID_PARAMS',
      'FORBIDDEN',
      'NOT_FOUND',
      'NOT_FOUND',
    ])
    expect((await getCall(hub.url, other.callId, as('alice'))).state).toBe('running')
  })

  test('cancels what hangs below its own call, and nothing else', async () => {
    const meta = { traceId: 'shared' }
    const [work, sibling] = [await beginPlan(hub, { meta }), await beginPlan(hub, { meta })]
    const other = await beginPlan(hub)
    const child = await startCall(hub.url, 'slow', {}, {}, work.headers)
    const nephew = await startCall(hub.url, 'slow', {}, {}, sibling.headers)
    const cancel = (callId: string) => postJson(hub.url, `/calls/${callId}/cancel`, {}, work.headers)
    for (const callId of [work.callId, sibling.callId, nephew]) expectProblem(await cancel(callId), 'FORBIDDEN')
    expectProblem(await cancel(other.callId), 'NOT_FOUND')
    const reason = `because of ${work.accessToken}`
    expect((await postJson(hub.url, `/calls/${child}/cancel`, { reason }, work.headers)).body).toMatchObject({
      cancelled: true,
    })
    const { error } = await getCall(hub.url, child, as('alice'))
    expect(error?.message).toContain('because of [redacted]')
    void callTool(hub.url, 'relay', {}, {}, work.headers)
    await until(() => hub.inner.agent.calls.some((call) => call.meta.traceId === 'shared'))
    const relay = await hub.inner.workOn(
      String(hub.inner.agent.calls.find((call) => call.meta.traceId === 'shared')?.id),
    )
    hub.insight.behave(() => undefined)
    void callTool(hub.url, 'search', {}, {}, relay.headers)
    await until(() => hub.insight.calls.some((call) => call.meta.traceId === 'shared'))
    const grandchild = String(hub.insight.calls.find((call) => call.meta.traceId === 'shared')?.id)
    expect((await cancel(grandchild)).body).toMatchObject({ state: 'cancelled', cancelled: true })
  })

  test('runs nothing again', async () => {
    const [work, other] = [await beginPlan(hub), await beginPlan(hub)]
    const made = callIdOf(await callTool(hub.url, 'make', {}, {}, work.headers))
    const rerun = (callId: string) => postJson(hub.url, `/calls/${callId}/rerun`, {}, work.headers)
    expectProblem(await rerun(made), 'FORBIDDEN')
    expectProblem(await rerun(work.callId), 'FORBIDDEN')
    expectProblem(await rerun(other.callId), 'NOT_FOUND')
  })

  test('of another tenant sees nothing, whatever traceId the two share', async () => {
    const meta = { traceId: 'same-name' }
    const work = await beginPlan(hub, { meta })
    const foreign = await beginPlan(hub, { meta, caller: 'stranger' })
    expectProblem(await getJson(hub.url, `/calls/${work.callId}`, foreign.headers), 'NOT_FOUND')
    expectProblem(await getJson(hub.url, '/traces/same-name?owner=bob', foreign.headers), 'NOT_FOUND')
    const { body } = await getJson<{ items: { data: JsonObject }[] }>(
      hub.url,
      '/traces/same-name/events',
      foreign.headers,
    )
    expect(body.items.every(({ data }) => data.callId === foreign.callId)).toBe(true)
    const parent = { traceId: 'same-name', parentCallId: work.callId }
    expectProblem(await callTool(hub.url, 'make', {}, parent, foreign.headers), 'INVALID_PARAMS', 'request-1')
  })

  test('does not meet the idempotency keys of its owner', async () => {
    const key = { idempotencyKey: 'of-the-owner' }
    const own = callIdOf(await callTool(hub.url, 'make', { secret: 1 }, key, as('alice')))
    const work = await beginPlan(hub)
    expectProblem(await postRpc(hub.url, request('calls/get', key), work.headers), 'NOT_FOUND', 'request-1')
    const made = await callTool(hub.url, 'make', { secret: 1 }, key, work.headers)
    expect(callIdOf(made)).not.toBe(own)
    expect(made.body.result?._meta).not.toHaveProperty('replayed')
  })
})

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
    hub.boot.behave((res, { id }) => sendFailure(res, id, { code: -32603, message: 'Internal Error: x' }))
  })
})
