import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonObject, TraceView } from '@synchub/protocol'
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

  test('begins nothing that was on its way, and leaves its idempotency key free', async () => {
    const work = await beginPlan(hub)
    const keysOf = async () => (await hub.link.commands.keys(`${hub.prefix}:key:*`)).length
    const [calls, keys] = [hub.boot.calls.length, await keysOf()]
    const headers = { ...work.headers, 'Content-Type': 'application/json', Expect: '100-continue' }
    const sent = httpRequest(`${hub.url}/rpc`, { method: 'POST', headers })
    sent.flushHeaders()
    // The hub asks for the body: it has let the agent in.
    await once(sent, 'continue')
    await postJson(hub.url, `/calls/${work.callId}/cancel`, {}, as('alice'))
    sent.end(JSON.stringify(callFrame('make', {}, { idempotencyKey: 'too-late' })))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = (await json(response)) as RpcBody
    expectProblem({ status: response.statusCode ?? 0, body }, 'UNAUTHENTICATED', 'request-1')
    expect(body.error?.message).toContain('the run of this access token is over')
    expect([hub.boot.calls.length, await keysOf()]).toEqual([calls, keys])
    const { body: trace } = await getJson<TraceView>(hub.url, `/traces/${work.traceId}`, as('alice'))
    expect(trace).toMatchObject({ state: 'cancelled', callCount: 1 })
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
