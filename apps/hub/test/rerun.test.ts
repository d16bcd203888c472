import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CallView, JsonObject, TraceView } from '@synchub/protocol'
import { v7 as uuidv7 } from 'uuid'
import { closeAll } from './cleanup.js'
import { watchTrace } from './event-reader.js'
import {
  type Answer,
  callTool,
  getCall,
  getJson,
  postJson,
  type RpcBody,
  type SentHeaders,
  startCall,
} from './hub-requests.js'
import { as, OWNED_ACCESS } from './owners.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { type ScriptedAgent, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

/** What a rerun answers. */
interface Rerun {
  readonly callId: string
  readonly traceId: string
  readonly originCallId: string
  readonly replayed?: boolean
  readonly links: JsonObject
}

let agent: ScriptedAgent
let other: ScriptedAgent
let hub: RunningHub

beforeAll(async () => {
  agent = await serveScript([toolOf('search'), toolOf('work'), toolOf('passing')])
  other = await serveScript([toolOf('other')])
  hub = await runHub({
    agents: {
      First: { url: agent.url, tools: { search: { mode: 'direct' } } },
      Other: { url: other.url, mode: 'direct' },
    },
    access: OWNED_ACCESS,
  })
})

afterAll(closeAll)

const rerun = <Body = Rerun>(callId: string, name: string, body: JsonObject = {}, headers: SentHeaders = {}) =>
  postJson<Body>(hub.url, `/calls/${callId}/rerun`, body, { ...as(name), ...headers })

async function ended(callId: string, name: string): Promise<CallView> {
  let call = await getCall(hub.url, callId, as(name))
  await until(async () => {
    call = await getCall(hub.url, callId, as(name))
    return !['received', 'queued', 'running'].includes(call.state)
  })
  return call
}

const callOf = (answer: Answer): string => String(answer.headers.get('SyncHub-Call-Id'))

describe('running a call again', () => {
  test('is a new call in a new trace that names its origin, with the recorded tool and arguments', async () => {
    const origin = callOf(await callTool(hub.url, 'search', { city: 'Seoul' }, { traceId: 'again' }, as('alice')))
    const answer = await rerun(origin, 'alice')
    const { callId, traceId } = answer.body
    expect(answer.status).toBe(202)
    expect(answer.headers.get('location')).toBe(`/calls/${callId}`)
    expect(answer.headers.get('SyncHub-Call-Id')).toBe(callId)
    expect(answer.headers.get('SyncHub-Trace-Id')).toBe(traceId)
    expect(answer.body).toMatchObject({
      originCallId: origin,
      links: { self: `/calls/${callId}`, trace: `/traces/${traceId}`, events: `/traces/${traceId}/events` },
    })
    expect(callId).not.toBe(origin)
    expect(traceId).not.toBe('again')
    expect(await ended(callId, 'alice')).toMatchObject({
      state: 'completed',
      tool: 'search',
      agent: 'First',
      originCallId: origin,
      arguments: { city: 'Seoul' },
    })
    expect(agent.calls.at(-1)).toMatchObject({ id: callId, name: 'search', arguments: { city: 'Seoul' } })
    const trace = await getJson<TraceView>(hub.url, `/traces/${traceId}`, as('alice'))
    expect(trace.body.calls).toMatchObject([{ callId, originCallId: origin }])
    const reader = await watchTrace(hub.url, `${traceId}/events`, as('alice'))
    expect((await reader.next('received')).data).toMatchObject({ callId, caller: 'SyncVerse', originCallId: origin })
    await reader.over
    expect(await getCall(hub.url, origin, as('alice'))).not.toHaveProperty('originCallId')
  })

  test('belongs to whoever asks, also where another owner made the first call', async () => {
    const origin = callOf(await callTool(hub.url, 'search', { of: 'alice' }, {}, as('alice')))
    const { body } = await rerun(origin, 'operator', { traceId: 'of-operator' })
    const call = await ended(body.callId, 'operator')
    expect(call).toMatchObject({ caller: 'Console', traceId: 'of-operator', originCallId: origin })
    const summary = await getJson<TraceView>(hub.url, '/traces/of-operator', as('operator'))
    expect(summary.body.owner).toBe('Console')
    expect((await getJson(hub.url, `/calls/${body.callId}`, as('alice'))).status).toBe(404)
  })

  test('queues a long tool and waits for nothing', async () => {
    const origin = await startCall(hub.url, 'work', { days: 3 }, {}, as('alice'))
    await ended(origin, 'alice')
    const { status, body } = await rerun(origin, 'alice')
    expect(status).toBe(202)
    expect(await ended(body.callId, 'alice')).toMatchObject({
      state: 'completed',
      mode: 'queued',
      arguments: { days: 3 },
    })
  })

  test('runs once for one idempotency key, in the body or in the header', async () => {
    const origin = callOf(await callTool(hub.url, 'search', { once: true }, {}, as('alice')))
    const before = agent.calls.length
    const first = await rerun(origin, 'alice', { idempotencyKey: 'again-1' })
    await ended(first.body.callId, 'alice')
    const repeat = await rerun(origin, 'alice', {}, { 'Idempotency-Key': 'again-1' })
    expect(repeat.body).toMatchObject({ callId: first.body.callId, traceId: first.body.traceId, replayed: true })
    expect(agent.calls).toHaveLength(before + 1)
    const another = callOf(await callTool(hub.url, 'search', { once: false }, {}, as('alice')))
    expectProblem(await rerun<RpcBody>(another, 'alice', { idempotencyKey: 'again-1' }), 'IDEMPOTENCY_CONFLICT')
  })

  test('can itself be run again, and names the call that it came from', async () => {
    const origin = callOf(await callTool(hub.url, 'search', {}, {}, as('alice')))
    const second = await rerun(origin, 'alice')
    const third = await rerun(second.body.callId, 'alice')
    expect(await ended(third.body.callId, 'alice')).toMatchObject({ originCallId: second.body.callId })
  })

  test.each([
    ['a call of another owner', 'bob'],
    ['a call of another tenant', 'stranger'],
  ])('knows nothing of %s', async (_what, name) => {
    const origin = callOf(await callTool(hub.url, 'search', {}, {}, as('alice')))
    const calls = agent.calls.length
    const foreign = await rerun<RpcBody>(origin, name)
    const missing = await rerun<RpcBody>(uuidv7(), name)
    expectProblem(foreign, 'NOT_FOUND')
    expectProblem(missing, 'NOT_FOUND')
    expect(foreign.body.error?.message.replace(origin, '')).toBe(
      missing.body.error?.message.replace(/[0-9a-f-]{36}/, ''),
    )
    expect(agent.calls).toHaveLength(calls)
  })

  test('needs the scope for the tool, not only the sight of the call', async () => {
    const origin = callOf(await callTool(hub.url, 'search', {}, {}, as('alice')))
    const calls = agent.calls.length
    expectProblem(await rerun<RpcBody>(origin, 'reader'), 'FORBIDDEN')
    expect(agent.calls).toHaveLength(calls)
  })

  test('refuses a tool that is gone, as every call of it, and records the refusal', async () => {
    const origin = await startCall(hub.url, 'passing', {}, {}, as('alice'))
    await ended(origin, 'alice')
    agent.offer([toolOf('search'), toolOf('work')])
    other.offer([toolOf('other'), toolOf('passing')])
    await until(async () => {
      const list = await getJson<{ agents: { name: string; tools: { name: string }[] }[] }>(
        hub.url,
        '/agents',
        as('alice'),
      )
      return list.body.agents.some(({ name, tools }) => name === 'Other' && tools.length === 2)
    })
    const refused = await rerun<RpcBody>(origin, 'alice')
    expectProblem(refused, 'METHOD_NOT_FOUND')
    const callId = String(refused.body.error?.data.callId)
    expect(await ended(callId, 'alice')).toMatchObject({ state: 'refused', originCallId: origin })
    expect(other.calls).toHaveLength(0)
  })

  test('refuses names that are none', async () => {
    const origin = callOf(await callTool(hub.url, 'search', {}, {}, as('alice')))
    for (const [path, body] of [
      ['traceId', { traceId: 'a b' }],
      ['callerAgent', { callerAgent: 7 }],
      ['idempotencyKey', { idempotencyKey: '' }],
    ] as const) {
      const answer = await rerun<RpcBody>(origin, 'alice', body)
      expectProblem(answer, 'INVALID_PARAMS')
      expect(answer.body.error?.data.path).toBe(path)
    }
    expectProblem(await rerun<RpcBody>(origin, 'alice', { callerAgent: 'Somebody' }), 'FORBIDDEN')
    const wrong = await getJson(hub.url, `/calls/${origin}/rerun`, as('alice'))
    expectProblem(wrong, 'METHOD_NOT_ALLOWED')
  })
})
