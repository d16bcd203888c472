import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AgentList, CallView, JsonObject, TraceView } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { watchTrace } from '../event-reader.js'
import { callFrame, callTool, getCall, getJson, postRpc, request, startCall } from '../hub-requests.js'
import { askLegacy, askModern, modernRequest, streamMcp } from '../mcp/mcp-requests.js'
import { expectProblem } from '../problem.js'
import { eventually, until } from '../until.js'
import { as, beginPlan, type DelegatingHub, type HeldAgent, runDelegatingHub } from './delegating-hub.js'

let hub: DelegatingHub

beforeAll(async () => {
  hub = await runDelegatingHub()
})

afterAll(closeAll)

const idOfCall = async ({ agent }: HeldAgent, traceId: string) =>
  String((await eventually(() => agent.calls.find(({ meta }) => meta.traceId === traceId))).id)

const bodiesOf = async (answer: Promise<{ body: unknown }>) => (await answer).body as JsonObject

describe('a call that an agent makes while it works', () => {
  test('stands below its call, in its trace, as a call of that agent for its owner', async () => {
    const work = await beginPlan(hub)
    const made = await callTool(hub.url, 'make', { of: 'ours' }, {}, work.headers)
    expect(made.body.result).toMatchObject({ structuredContent: { of: 'ours' }, _meta: { traceId: work.traceId } })
    const child = await getCall(hub.url, String(made.headers.get('SyncHub-Call-Id')), as('alice'))
    expect(child).toMatchObject({ parentCallId: work.callId, traceId: work.traceId, caller: 'Verse', agent: 'Boot' })
    const { body: trace } = await getJson<TraceView>(hub.url, `/traces/${work.traceId}`, as('alice'))
    expect(trace).toMatchObject({ owner: 'alice', calls: [{ callId: work.callId, children: [{ agent: 'Boot' }] }] })
    work.answer({ result: { done: true } })
  })

  test('may name its place, as long as that is the one it has', async () => {
    const work = await beginPlan(hub)
    const own = { traceId: work.traceId, parentCallId: work.callId, callerAgent: 'Verse' }
    expect((await callTool(hub.url, 'make', {}, own, work.headers)).status).toBe(200)
    const other = await beginPlan(hub)
    for (const [path, meta] of [
      ['_meta.traceId', { traceId: 'another' }],
      ['_meta.traceId', { traceId: other.traceId }],
      ['_meta.parentCallId', { parentCallId: other.callId }],
    ] as const) {
      const refused = await callTool(hub.url, 'make', {}, meta, work.headers)
      expectProblem(refused, 'INVALID_PARAMS', 'request-1')
      expect(refused.body.error?.data).toMatchObject({ path })
    }
    const another = await callTool(hub.url, 'make', {}, { callerAgent: 'Console' }, work.headers)
    expectProblem(another, 'FORBIDDEN', 'request-1')
  })

  test('is made of direct calls too, and by agents that were called by agents', async () => {
    const outer = callTool(hub.url, 'plan_now', {}, { traceId: 'deep' }, as('alice'))
    const plan = await hub.verse.workOn(await idOfCall(hub.verse, 'deep'))
    const relayed = callTool(hub.url, 'relay', {}, {}, plan.headers)
    const relayId = await idOfCall(hub.inner, 'deep')
    const relay = await hub.inner.workOn(relayId)
    const found = await callTool(hub.url, 'search', {}, {}, relay.headers)
    expect(found.status).toBe(200)
    expect(await getCall(hub.url, String(found.headers.get('SyncHub-Call-Id')), as('alice'))).toMatchObject({
      parentCallId: relayId,
      caller: 'Inner',
    })
    // Inner may call all of Insight, but it works for Verse, which may not.
    expectProblem(await callTool(hub.url, 'browse', {}, {}, relay.headers), 'FORBIDDEN', 'request-1')
    relay.answer({ result: {} })
    plan.answer({ result: { done: true } })
    expect((await relayed).status).toBe(200)
    expect((await outer).body.result).toMatchObject({ structuredContent: { done: true } })
  })

  test('may come by MCP too', async () => {
    const work = await beginPlan(hub)
    const params = { name: 'make', arguments: { of: 'mcp' } }
    for (const answer of [
      await askModern(hub.url, 'tools/call', params, {}, work.headers),
      await askLegacy(hub.url, 'tools/call', params, work.headers),
    ]) {
      expect(answer.body.result).toMatchObject({ structuredContent: { of: 'mcp' }, _meta: { traceId: work.traceId } })
      const child = await getCall(hub.url, String(answer.body.result?._meta?.callId), as('alice'))
      expect(child).toMatchObject({ parentCallId: work.callId, caller: 'Verse' })
    }
    const refused = await askLegacy(hub.url, 'tools/call', { ...params, name: 'browse' }, work.headers)
    expect(refused.body.error?.data).toMatchObject({ title: 'FORBIDDEN' })
    work.answer({ result: {} })
    await until(async () => (await getCall(hub.url, work.callId, as('alice'))).state === 'completed')
    expect((await askLegacy(hub.url, 'tools/call', params, work.headers)).status).toBe(401)
  })

  test('cannot be made by agents that may not delegate: they get no access token', async () => {
    await callTool(hub.url, 'make', {}, {}, as('alice'))
    expect(hub.boot.calls.at(-1)?.meta).not.toHaveProperty('accessToken')
    const { body } = await getJson<AgentList>(hub.url, '/agents', as('alice'))
    expect(JSON.stringify(body)).not.toContain('accessToken')
  })
})

describe('what an agent at work sees', () => {
  test('is the tools that it and its caller may both call', async () => {
    const namesFor = async (headers: { Authorization: string }) => {
      const { tools } = (await bodiesOf(postRpc(hub.url, request('tools/list'), headers))).result as {
        tools: { name: string }[]
      }
      return tools.map(({ name }) => name)
    }
    expect(await namesFor((await beginPlan(hub)).headers)).toEqual(['drop', 'make', 'relay', 'search', 'slow'])
    expect(await namesFor((await beginPlan(hub, { caller: 'narrow' })).headers)).toEqual(['make'])
  })

  test('is its own trace: calls, events and the stream, and nothing else of its owner', async () => {
    const work = await beginPlan(hub)
    const other = await beginPlan(hub)
    const made = await callTool(hub.url, 'make', {}, {}, work.headers)
    const childId = String(made.headers.get('SyncHub-Call-Id'))
    expect((await getJson(hub.url, `/calls/${childId}`, work.headers)).status).toBe(200)
    expect((await getJson(hub.url, `/calls/${work.callId}`, work.headers)).status).toBe(200)
    expect((await getJson(hub.url, `/traces/${work.traceId}/events`, work.headers)).status).toBe(200)
    const stream = await watchTrace(hub.url, `${work.traceId}/events`, work.headers)
    await stream.next('started')
    for (const path of [
      `/calls/${other.callId}`,
      `/traces/${other.traceId}`,
      `/traces/${other.traceId}/events?follow=1`,
    ]) {
      expectProblem(await getJson(hub.url, path, work.headers), 'NOT_FOUND')
    }
    expectProblem(await getJson(hub.url, '/traces', work.headers), 'FORBIDDEN')
    const notices = await getJson(hub.url, '/events', { ...work.headers, Accept: 'text/event-stream' })
    expectProblem(notices, 'FORBIDDEN')
    expect(
      (await getJson(hub.url, `/events?traces=${other.traceId}`, { ...work.headers, Accept: 'text/event-stream' }))
        .status,
    ).toBe(404)
  })

  test('is no change of any other trace of its owner', async () => {
    const work = await beginPlan(hub)
    const other = await beginPlan(hub)
    const uris = [other, work].map(({ traceId }) => `trace://${traceId}`)
    const { frame, headers } = modernRequest('subscriptions/listen', {
      notifications: { resourceSubscriptions: uris },
    })
    const stream = await streamMcp(hub.url, frame, { ...headers, ...work.headers })
    await until(() => stream.messages.length === 1)
    other.answer({ result: {} })
    await until(async () => (await getCall(hub.url, other.callId, as('alice'))).state === 'completed')
    await callTool(hub.url, 'make', {}, {}, work.headers)
    await until(() => stream.messages.length > 1)
    expect(stream.messages.slice(1)).toMatchObject([{ params: { uri: `trace://${work.traceId}` } }])
    stream.leave()
  })

  test('may be read until its run is over: then its streams are cut', async () => {
    const work = await beginPlan(hub)
    const stream = await watchTrace(hub.url, `${work.traceId}/events?follow=1`, work.headers)
    await stream.next('started')
    work.answer({ result: {} })
    await stream.next('complete')
    await expect(stream.over).resolves.toBeUndefined()
  })
})

describe('an idempotency key of an agent at work', () => {
  test('belongs to the call that it works on', async () => {
    const mine = { idempotencyKey: 'step-1' }
    const own = await callTool(hub.url, 'make', { n: 1 }, mine, as('alice'))
    const [first, second] = [await beginPlan(hub), await beginPlan(hub)]
    const one = await callTool(hub.url, 'make', { n: 1 }, mine, first.headers)
    const again = await callTool(hub.url, 'make', { n: 1 }, mine, first.headers)
    const two = await callTool(hub.url, 'make', { n: 2 }, mine, second.headers)
    expect(again.body.result?._meta).toMatchObject({ replayed: true })
    const idOf = ({ headers }: typeof own) => headers.get('SyncHub-Call-Id')
    expect(idOf(again)).toBe(idOf(one))
    expect(new Set([own, one, two].map(idOf)).size).toBe(3)
    const found = await postRpc(hub.url, request('calls/get', mine), second.headers)
    expect(found.body.result).toMatchObject({ callId: idOf(two) })
    expect((await postRpc(hub.url, request('calls/get', mine), as('alice'))).body.result).toMatchObject({
      callId: idOf(own),
    })
  })

  test('finds in a later attempt what an earlier one began, and each attempt has an access token of its own', async () => {
    const callId = await startCall(hub.url, 'fragile', {}, {}, as('alice'))
    const first = await hub.verse.workOn(callId)
    const key = { idempotencyKey: 'begun' }
    const child = await startCall(hub.url, 'slow', {}, key, first.headers)
    first.lose()
    const second = await hub.verse.workOn(callId, 2)
    expect(second.accessToken).not.toBe(first.accessToken)
    expect(await startCall(hub.url, 'slow', {}, key, second.headers)).toBe(child)
    expect((await getCall(hub.url, child, second.headers)).state).toMatch(/^(queued|running)$/)
    const late = await callTool(hub.url, 'make', {}, {}, first.headers)
    expectProblem(late, 'UNAUTHENTICATED')
    expect(late.body.error?.message).toContain('the run of this access token is over: attempt 2 of its call was opened')
    second.answer({ result: {} })
  })
})

describe('the depth of a tree', () => {
  test('is bounded, and a call too deep is refused in its trace', async () => {
    const shallow = await runDelegatingHub({ limits: { maxCallDepth: 2 } })
    const plan = await beginPlan(shallow)
    const relayed = callTool(shallow.url, 'relay', {}, {}, plan.headers)
    const relayId = String((await eventually(() => shallow.inner.agent.calls.at(-1))).id)
    const relay = await shallow.inner.workOn(relayId)
    const refused = await callTool(shallow.url, 'search', {}, {}, relay.headers)
    expectProblem(refused, 'FORBIDDEN', 'request-1')
    expect(refused.body.error?.message).toContain('limits.maxCallDepth is 2')
    const view = await getCall(shallow.url, String(refused.headers.get('SyncHub-Call-Id')), as('alice'))
    expect(view).toMatchObject({ state: 'refused', parentCallId: relayId } satisfies Partial<CallView>)
    relay.answer({ result: {} })
    plan.answer({ result: {} })
    expect((await relayed).status).toBe(200)
  })

  test('counts calls of a caller that name a parent as well', async () => {
    const shallow = await runDelegatingHub({ limits: { maxCallDepth: 1 } })
    const meta = { traceId: 'flat' }
    const root = await callTool(shallow.url, 'make', {}, meta, as('alice'))
    const parentCallId = root.headers.get('SyncHub-Call-Id')
    const refused = await postRpc(shallow.url, callFrame('make', {}, { ...meta, parentCallId }), as('alice'))
    expectProblem(refused, 'FORBIDDEN', 'request-1')
  })
})
