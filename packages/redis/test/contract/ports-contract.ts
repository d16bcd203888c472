import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type ApprovalTicket, type CatalogueAgent, NO_OFFERS } from '@synchub/core'
import {
  createCallIndex,
  createCancelBroadcast,
  createCatalogueStore,
  createLeases,
  createOpenCalls,
  createTickets,
  watchCatalogue,
} from '../../src/index.js'
import {
  ACCEPTED,
  CANCELLED,
  newCall,
  RECEIVED,
  REFUSED,
  recordEnded,
  recordQueued,
  TRACE,
} from '../call/sample-call.js'
import { ManualClock } from '../clock/manual-clock.js'
import { atEnd, closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore, type TestStore } from '../place/test-store.js'

const agentOf = (name: string, available = true): CatalogueAgent => ({ name, available, ...NO_OFFERS, tools: [] })

/** The small ports: leases, open calls, tickets, catalogue, the word of a cancel. */
export function describePorts(place: RedisPlace): void {
  afterEach(closeAll)

  describe('a lease', () => {
    test('is held by one at a time, extended by its holder, and free once dropped or expired', async () => {
      const leases = createLeases((await openTestStore(place)).link)
      const wishes = await Promise.all(Array.from({ length: 20 }, (_, at) => leases.hold('sweep', `p${at}`, 60_000)))
      const holder = wishes.indexOf(true)
      expect(wishes.filter(Boolean)).toHaveLength(1)
      const [own, other] = [`p${holder}`, 'another']
      expect([await leases.hold('sweep', own, 60_000), await leases.hold('other', other, 60_000)]).toEqual([true, true])
      await leases.drop('sweep', other)
      expect(await leases.hold('sweep', other, 60_000)).toBe(false)
      await leases.drop('sweep', own)
      expect(await leases.hold('sweep', other, 20)).toBe(true)
      await waitFor(() => leases.hold('sweep', own, 60_000))
    })

    test('tells which hubs are alive', async () => {
      const leases = createLeases((await openTestStore(place)).link)
      expect(await leases.isPresent('hub-1')).toBe(false)
      await leases.showPresence('hub-1', 60_000)
      expect([await leases.isPresent('hub-1'), await leases.isPresent('hub-2')]).toEqual([true, false])
      await leases.endPresence('hub-1')
      expect(await leases.isPresent('hub-1')).toBe(false)
      await leases.showPresence('hub-1', 20)
      await waitFor(async () => !(await leases.isPresent('hub-1')))
    })
  })

  describe('the open calls', () => {
    test('are those that were recorded and have not ended, the longest overdue first', async () => {
      const clock = new ManualClock()
      const store = await openTestStore(place, { clock })
      const open = createOpenCalls(store.link)
      const first = await recordQueued(store)
      clock.advance(1000)
      const second = await recordQueued(store)
      await store.log.record(newCall(), [RECEIVED, REFUSED])
      expect(await open.due(clock.now(), 10)).toEqual([])
      clock.advance(60_000)
      expect(await open.due(clock.now(), 10)).toEqual([first.callId, second.callId])
      expect(await open.due(clock.now(), 1)).toEqual([first.callId])
      await open.lookAgain(first.callId, clock.now() + 5000)
      expect(await open.due(clock.now(), 10)).toEqual([second.callId])
      expect(await open.due(clock.now() + 5000, 10)).toEqual([second.callId, first.callId])
      await store.log.change({ call: first, events: [CANCELLED] })
      await open.lookAgain(first.callId, clock.now())
      expect(await open.due(clock.now() + 5000, 10)).toEqual([second.callId])
    })

    test('can be found by their callId before they are recorded', async () => {
      const store = await openTestStore(place)
      const index = createCallIndex(store.link, new ManualClock())
      const call = newCall()
      await index.announce(call)
      expect(await index.traceOf(call.callId)).toEqual(TRACE)
      expect(await store.log.find(call.callId)).toBeNull()
    })

    test('are found no more once they are given up before they were recorded, and cannot be recorded any more', async () => {
      const clock = new ManualClock()
      const store = await openTestStore(place, { clock })
      const [open, index] = [createOpenCalls(store.link), createCallIndex(store.link, clock)]
      const [late, quick] = [newCall(), newCall()]
      await index.announce(late)
      await index.announce(quick)
      expect(await store.log.record(quick, [RECEIVED, ACCEPTED])).toBe('recorded')
      expect([await store.log.abandon(late.callId), await store.log.abandon(quick.callId)]).toEqual([true, false])
      expect(await index.traceOf(late.callId)).toBeNull()
      expect(await open.due(clock.now() + 5000, 10)).toEqual([quick.callId])
      expect(await store.log.record(late, [RECEIVED, ACCEPTED])).toBe('voided')
      expect(await store.reader.snapshot(TRACE)).toMatchObject({ callCount: 1, lastSeq: 2 })
      expect(await store.log.abandon(newCall().callId)).toBe(true)
    })
  })

  describe('a refusal', () => {
    test('stands among the open calls until its record is noted, and is found no more where it got none', async () => {
      const clock = new ManualClock()
      const store = await openTestStore(place, { clock })
      const parent = await recordEnded(store, CANCELLED)
      const below = { parentCallId: parent.callId, depth: 2 }
      const [lost, kept] = [newCall({ ...below, parentAttempt: 1 }), newCall(below)]
      const [open, index] = [createOpenCalls(store.link), createCallIndex(store.link, clock)]
      const dead = newCall()
      await index.announce(dead)
      expect(await store.log.record(lost, [RECEIVED, REFUSED])).toBe('orphaned')
      expect(await store.log.record(kept, [RECEIVED, REFUSED])).toBe('recorded')
      expect(await open.due(clock.now() + 5000, 10)).toEqual([dead.callId])
      expect(await Promise.all([lost, kept].map(({ callId }) => index.traceOf(callId)))).toEqual([null, TRACE])
    })
  })

  describe('an approval ticket', () => {
    test('is found as it was recorded', async () => {
      const tickets = createTickets((await openTestStore(place)).link)
      const ticket: ApprovalTicket = {
        ticketId: `ticket-hitl-${randomBytes(16).toString('base64url')}`,
        callId: newCall().callId,
        trace: TRACE,
        agent: 'SyncBoot',
        tool: 'generate_schema',
        detail: 'Index modification detected on table orders: "idx_a" \u0000 🙂\n',
        requestedAtMs: 1_800_000_000_000,
      }
      await tickets.record(ticket)
      expect(await tickets.find(ticket.ticketId)).toEqual(ticket)
      expect(await tickets.find('ticket-hitl-other')).toBeNull()
    })
  })

  describe('the catalogue', () => {
    test('is empty at first, and gets a higher version with every change', async () => {
      const catalogue = createCatalogueStore((await openTestStore(place)).link)
      expect(await catalogue.read()).toEqual({ version: 0, agents: [] })
      expect(await catalogue.write([agentOf('SyncBoot')], 0)).toBe(1)
      expect(await catalogue.write([agentOf('SyncBoot', false)], 1)).toBe(2)
      expect(await catalogue.read()).toEqual({ version: 2, agents: [agentOf('SyncBoot', false)] })
    })

    test('is not overwritten by a dispatcher that read it before another wrote', async () => {
      const [store, other] = await openPair(place)
      const [slow, quick] = [createCatalogueStore(store.link), createCatalogueStore(other.link)]
      expect([await quick.write([agentOf('SyncInsight')], 0), await slow.write([agentOf('SyncBoot')], 0)]).toEqual([
        1,
        null,
      ])
      // Read, and lost since: what began anew has a lower version.
      expect(await slow.write([agentOf('SyncBoot')], 7)).toBe(null)
      expect(await slow.read()).toEqual({ version: 1, agents: [agentOf('SyncInsight')] })
      const writes = await Promise.all([slow, quick].map((catalogue) => catalogue.write([agentOf('SyncBoot')], 1)))
      expect(new Set(writes)).toEqual(new Set([2, null]))
    })

    test('reaches the other processes when it changes', async () => {
      const [store, other] = await openPair(place)
      const view = await openView(other)
      expect(view.current()).toEqual({ version: 0, agents: [] })
      const catalogue = createCatalogueStore(store.link)
      await catalogue.write([agentOf('SyncBoot')], 0)
      await waitFor(async () => view.current().version === 1)
      expect(view.current().agents).toEqual([agentOf('SyncBoot')])
    })

    test('is taken up anew when it was lost and begun again at a lower version', async () => {
      const [store, other] = await openPair(place)
      const catalogue = createCatalogueStore(store.link)
      await catalogue.write([agentOf('SyncBoot')], 0)
      await catalogue.write([agentOf('SyncBoot')], 1)
      const view = await openView(other)
      expect(view.current().version).toBe(2)
      await store.link.commands.del(store.link.keys.catalogue)
      await catalogue.write([agentOf('SyncInsight')], 0)
      await waitFor(async () => view.current().agents[0]?.name === 'SyncInsight')
      expect(view.current().version).toBe(1)
    })
  })

  describe('the word of a cancel', () => {
    test('reaches the other processes', async () => {
      const [store, other] = await openPair(place)
      const heard: string[] = []
      await other.subscriptions.add(other.link.keys.cancelChannel, (callId) => heard.push(callId))
      await createCancelBroadcast(store.link).announce('call-1')
      await waitFor(async () => heard.length > 0)
      expect(heard).toEqual(['call-1'])
    })
  })
}

async function openPair(place: RedisPlace): Promise<[TestStore, TestStore]> {
  const store = await openTestStore(place)
  return [store, await openTestStore(place, { prefix: store.prefix })]
}

async function openView(store: TestStore) {
  const failures: unknown[] = []
  const view = await watchCatalogue(store.link, store.subscriptions, (thrown) => failures.push(thrown))
  atEnd(async () => {
    await view.stop()
    expect(failures).toEqual([])
  })
  return view
}

/** Asks until it is so; each answer comes from Redis, or with the next turn of the event loop. */
async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate)
}
