import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type CallRecord, endingOfError, sweepCall } from '@synchub/core'
import { HubError, type JsonObject } from '@synchub/protocol'
import { createCallIndex, createCallLog, createCancelBroadcast, createClaims, openAgentQueues } from '@synchub/redis'
import { systemClock } from '@synchub/telemetry'
import { atEnd, closeAll } from '../cleanup.js'
import { callTool, getCall, getJson, postJson, startCall } from '../hub-requests.js'
import { openStream } from '../scripted-agent.js'
import { until } from '../until.js'
import { as, beginPlan, type DelegatingHub, type HeldWork, runDelegatingHub } from './delegating-hub.js'

let hub: DelegatingHub

beforeAll(async () => {
  hub = await runDelegatingHub()
})

afterAll(closeAll)

const stateOf = async (callId: string) => (await getCall(hub.url, callId, as('alice'))).state
const untilState = (callId: string, state: string) => until(async () => (await stateOf(callId)) === state)
const cancel = (callId: string) => postJson(hub.url, `/calls/${callId}/cancel`, {}, as('alice'))

/** Has the agent at work begin a long call. */
async function beginSlow(work: HeldWork): Promise<string> {
  const callId = await startCall(hub.url, 'slow', {}, {}, work.headers)
  await until(() => hub.boot.calls.some(({ id }) => id === callId))
  return callId
}

/** Names of the events of one call, and the error of its last one. */
async function storyOf(traceId: string, callId: string) {
  const { body } = await getJson<{ items: { event: string; data: JsonObject }[] }>(
    hub.url,
    `/traces/${traceId}/events?callId=${callId}`,
    as('alice'),
  )
  const { error } = (body.items.at(-1)?.data ?? {}) as { error?: { message: string } }
  return { names: body.items.map(({ event }) => event), message: error?.message }
}

describe('cancelling a call', () => {
  test('cancels everything that is open below it, each with one ending, and tells the agents', async () => {
    hub.insight.behave((res) => openStream(res))
    const plan = await beginPlan(hub)
    const slow = await beginSlow(plan)
    void callTool(hub.url, 'relay', {}, {}, plan.headers)
    await until(() => hub.inner.agent.calls.some(({ meta }) => meta.traceId === plan.traceId))
    const relayId = String(hub.inner.agent.calls.find(({ meta }) => meta.traceId === plan.traceId)?.id)
    const relay = await hub.inner.workOn(relayId)
    void callTool(hub.url, 'search', {}, {}, relay.headers)
    await until(() => hub.insight.calls.some(({ meta }) => meta.traceId === plan.traceId))
    const searchId = String(hub.insight.calls.find(({ meta }) => meta.traceId === plan.traceId)?.id)
    const made = await callTool(hub.url, 'make', {}, {}, plan.headers)
    const madeId = String(made.headers.get('SyncHub-Call-Id'))

    expect((await cancel(plan.callId)).body).toMatchObject({ state: 'cancelled', cancelled: true })
    for (const callId of [plan.callId, slow, relayId, searchId]) expect(await stateOf(callId)).toBe('cancelled')
    expect(await stateOf(madeId)).toBe('completed')
    expect(await storyOf(plan.traceId, slow)).toEqual({
      names: ['received', 'accepted', 'started', 'cancelled'],
      message: `Cancelled: the call was cancelled: the call ${plan.callId} that it was made for is cancelled`,
    })
    expect((await storyOf(plan.traceId, searchId)).message).toContain(relayId)
    await until(() => hub.boot.cancelled.includes(slow) && hub.insight.cancelled.includes(searchId))
    await until(() => relay.isAborted)
  })

  test('reaches calls that only name it as their parent, but none that come after it', async () => {
    const plan = await beginPlan(hub, { meta: { traceId: 'named' } })
    const meta = { traceId: 'named', parentCallId: plan.callId }
    const before = await startCall(hub.url, 'slow', {}, meta, as('alice'))
    await cancel(plan.callId)
    expect(await stateOf(before)).toBe('cancelled')
    const after = await startCall(hub.url, 'slow', {}, meta, as('alice'))
    expect(await sweep(after)).toMatchObject({ kind: 'look-again' })
    expect(await stateOf(after)).toMatch(/^(queued|running)$/)
  })

  test('works as well while the agent is gone', async () => {
    const plan = await beginPlan(hub, { tool: 'fragile' })
    const slow = await beginSlow(plan)
    await hub.verse.agent.goDown()
    await cancel(plan.callId)
    expect(await stateOf(slow)).toBe('cancelled')
    await hub.verse.agent.comeBack()
  })
})

describe('the end of a run whose agent made calls', () => {
  test.each([
    ['completed', (work: HeldWork) => work.answer({ result: {} })],
    ['failed', (work: HeldWork) => work.fail({ code: -32603, message: 'Internal Error: broken' })],
    ['unknown', (work: HeldWork) => work.lose()],
  ] as const)('cancels those that are open when it is %s', async (state, end) => {
    const plan = await beginPlan(hub)
    const slow = await beginSlow(plan)
    const named = await startCall(
      hub.url,
      'slow',
      {},
      { traceId: plan.traceId, parentCallId: plan.callId },
      as('alice'),
    )
    end(plan)
    await untilState(plan.callId, state)
    await untilState(slow, 'cancelled')
    expect((await storyOf(plan.traceId, slow)).message).toContain(
      `the call ${plan.callId} that it was made for is ${state}`,
    )
    // Made by the caller itself, who may go on waiting for it.
    expect(await stateOf(named)).toMatch(/^(queued|running)$/)
    await cancel(named)
  })
})

/** Looks at one call as the sweep does. */
async function sweep(callId: string) {
  const { link, config } = hub
  const queue = openAgentQueues(link)
  atEnd(() => queue.close())
  return sweepCall(callId, {
    config,
    clock: systemClock,
    log: createCallLog(link, createCallIndex(link, systemClock), systemClock),
    queue,
    claims: createClaims(link, systemClock),
    broadcast: createCancelBroadcast(link),
    isHubPresent: async () => true,
  })
}

describe('a crash between the end of a call and that of its children', () => {
  /** Ends a call as a process does that dies right after it. */
  async function endAlone(callId: string, event: 'cancelled' | 'failed'): Promise<void> {
    const log = createCallLog(hub.link, createCallIndex(hub.link, systemClock), systemClock)
    const call = (await log.find(callId)) as CallRecord
    const error = new HubError(event === 'cancelled' ? 'CANCELLED' : 'INTERNAL_ERROR', 'and then nothing')
    await log.change({ call, events: [endingOfError(event, error, call)] })
  }

  test.each(['cancelled', 'failed'] as const)('is closed by the sweep: the parent is %s', async (event) => {
    const plan = await beginPlan(hub)
    const slow = await beginSlow(plan)
    await endAlone(plan.callId, event)
    expect(await stateOf(slow)).toBe('running')
    expect(await sweep(slow)).toEqual({ kind: 'done' })
    expect(await storyOf(plan.traceId, slow)).toEqual({
      names: ['received', 'accepted', 'started', 'cancelled'],
      message: `Cancelled: the call was cancelled: the call ${plan.callId} that it was made for is ${event}`,
    })
    await until(() => hub.boot.cancelled.includes(slow))
  })

  test('is closed by the second cancel as well', async () => {
    const plan = await beginPlan(hub)
    const slow = await beginSlow(plan)
    await endAlone(plan.callId, 'cancelled')
    expect((await cancel(plan.callId)).body).toMatchObject({ state: 'cancelled', cancelled: false })
    expect(await stateOf(slow)).toBe('cancelled')
  })

  test('leaves no room for a call that was on its way', async () => {
    const plan = await beginPlan(hub)
    const log = createCallLog(hub.link, createCallIndex(hub.link, systemClock), systemClock)
    const slow = (await log.find(await beginSlow(plan))) as CallRecord
    await endAlone(plan.callId, 'failed')
    const callId = '01a00000-0000-7000-8000-000000000001'
    const late = await log.record({ ...slow, callId }, [{ event: 'received', data: {} }])
    expect([late, await log.find(callId)]).toEqual(['orphaned', null])
  })
})
