import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type CallLog, createCallId, type NewCall, type SweepPorts, sweepCall } from '@synchub/core'
import {
  createCallIndex,
  createCallLog,
  createCancelBroadcast,
  createClaims,
  createOpenCalls,
  openAgentQueues,
} from '@synchub/redis'
import { systemClock } from '@synchub/telemetry'
import { atEnd, closeAll } from './cleanup.js'
import { type HubPlace, openPlace } from './running-hub.js'

const BEGUN = [
  { event: 'received', data: { caller: 'SyncVerse', agent: 'Agent' } },
  { event: 'accepted', data: {} },
] as const
const STARTED = { event: 'started', data: { attempt: 1 } } as const

let place: HubPlace
let log: CallLog
let ports: SweepPorts

beforeAll(async () => {
  place = await openPlace({ agents: { Agent: { url: 'http://127.0.0.1:1' } } })
  const { link, config } = place
  const queue = openAgentQueues(link)
  atEnd(() => queue.close())
  log = createCallLog(link, createCallIndex(link, systemClock), systemClock)
  const claims = createClaims(link, systemClock)
  const broadcast = createCancelBroadcast(link)
  ports = { config, clock: systemClock, log, queue, claims, broadcast, isHubPresent: async () => false }
})

afterAll(closeAll)

function callOf(given: Partial<NewCall>): NewCall {
  return {
    callId: createCallId(Date.now()),
    trace: { tenant: 'local', owner: 'local', traceId: 'swept' },
    caller: 'SyncVerse',
    agent: 'Agent',
    tool: 'work',
    mode: 'queued',
    toolRevision: '',
    arguments: {},
    hubId: 'gone-hub',
    ...given,
  }
}

/** Sweeps a call in which something happens between the look of the sweep and its step. */
function sweepBehind(call: NewCall, meanwhile: () => Promise<unknown>) {
  const findOutline = async (callId: string) => {
    const seen = await log.findOutline(callId)
    await meanwhile()
    return seen
  }
  return sweepCall(call.callId, { ...ports, log: { ...log, findOutline } })
}

async function isWatchedOver({ callId }: NewCall): Promise<boolean> {
  const due = await createOpenCalls(place.link).due(Date.now() + 60_000, 100)
  return due.includes(callId)
}

describe('a call that changes while the sweep looks at it', () => {
  test('is started just when it has waited too long: it keeps its job, and the sweep goes on to look after it', async () => {
    const call = callOf({ queueDeadlineAtMs: Date.now() - 1 })
    await log.record(call, BEGUN)
    await ports.queue.add(call)
    const start = () => log.change({ call, attempt: 0, opensAttempt: true, events: [STARTED] })
    expect(await sweepBehind(call, start)).toMatchObject({ kind: 'look-again' })
    expect(await log.find(call.callId)).toMatchObject({ state: 'running', attempt: 1 })
    expect([await ports.queue.has(call), await isWatchedOver(call)]).toEqual([true, true])
  })

  test('is handed back by a hub that was taken for dead: the sweep goes on to look after it', async () => {
    const call = callOf({ mode: 'direct' })
    await log.record(call, [...BEGUN, STARTED])
    const handBack = async () => {
      await log.change({ call, attempt: 1, events: [{ event: 'handed_back', data: {} }], set: { mode: 'queued' } })
      await log.change({ call, attempt: 1, opensAttempt: true, events: [{ event: 'started', data: { attempt: 2 } }] })
    }
    expect(await sweepBehind(call, handBack)).toMatchObject({ kind: 'look-again' })
    expect(await log.find(call.callId)).toMatchObject({ state: 'running', attempt: 2 })
    expect(await isWatchedOver(call)).toBe(true)
  })

  test('is recorded just when it is given up for missing: the sweep goes on to look after it', async () => {
    const call = callOf({})
    await createCallIndex(place.link, systemClock).announce(call)
    expect(await sweepBehind(call, () => log.record(call, BEGUN))).toMatchObject({ kind: 'look-again' })
    expect(await log.find(call.callId)).toMatchObject({ state: 'queued' })
    expect(await isWatchedOver(call)).toBe(true)
  })
})

describe('a call that was announced by a process which was paused before it recorded it', () => {
  test('is given up, and its record is refused when it comes after all', async () => {
    const call = callOf({})
    await createCallIndex(place.link, systemClock).announce(call)
    expect(await sweepCall(call.callId, ports)).toEqual({ kind: 'done' })
    expect(await log.record(call, BEGUN)).toBe('voided')
    expect(await log.find(call.callId)).toBeNull()
    // It had announced it once more; that is given up like the first time.
    expect(await sweepCall(call.callId, ports)).toEqual({ kind: 'done' })
    expect(await isWatchedOver(call)).toBe(false)
  })
})
