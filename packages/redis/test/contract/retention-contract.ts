import { afterEach, describe, expect, test } from '@jest/globals'
import type { NewCall, RetentionConfig, RetentionPorts, TraceRef } from '@synchub/core'
import { runRetention } from '@synchub/core'
import { adoptTraces, createCallIndex, createRetentionStore, createTraceList } from '../../src/index.js'
import { complete, newCall, recordEnded, recordRunning, TRACE, UNKNOWN } from '../call/sample-call.js'
import { ManualClock } from '../clock/manual-clock.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { findKeys, openTestStore, type TestStore } from '../place/test-store.js'

const MINUTE_MS = 60_000
const BOUNDS: RetentionConfig = {
  maxAgeMs: 60 * MINUTE_MS,
  maxTraces: 100,
  maxBytes: 2 ** 50,
  maxEventsPerTrace: 1000,
  deadLetterAgeMs: 600 * MINUTE_MS,
}

/** A store with retention, whose clock stands still. */
export async function openRetention(place: RedisPlace) {
  const clock = new ManualClock()
  const store = await openTestStore(place, { clock })
  const retention = createRetentionStore(store.link, clock)
  const run = (bounds: Partial<RetentionConfig> = {}, more: Partial<RetentionPorts> = {}) =>
    runRetention({ config: { ...BOUNDS, ...bounds }, clock, store: retention, log: store.log, ...more })
  return { clock, store, retention, run }
}

const named = (traceId: string): TraceRef => ({ ...TRACE, traceId })

/** Ended traces of these names, a minute between them. */
async function endTraces(store: TestStore, clock: ManualClock, names: readonly string[]): Promise<NewCall[]> {
  const calls: NewCall[] = []
  for (const name of names) {
    calls.push(await recordEnded(store, complete(), { trace: named(name) }))
    clock.advance(MINUTE_MS)
  }
  return calls
}

async function listed({ link }: TestStore, clock: ManualClock): Promise<string[]> {
  const list = createTraceList(link, clock)
  const { items } = await list.newest({ tenant: TRACE.tenant, owner: TRACE.owner, filter: {}, limit: 100 })
  return items.map(({ traceId }) => traceId).toReversed()
}

/** What retention removes, and what it leaves. */
export function describeRetention(place: RedisPlace): void {
  afterEach(closeAll)

  describe('retention', () => {
    test('removes a trace that is too old, with everything that was kept of it', async () => {
      const { clock, store, run } = await openRetention(place)
      const parent = await recordRunning(store)
      await recordEnded(store, complete('x'.repeat(70_000)), { parentCallId: parent.callId })
      await store.log.change({ call: parent, events: [complete()] })
      clock.advance(BOUNDS.maxAgeMs - 1)
      expect(await run()).toMatchObject({ removed: 0 })
      clock.advance(1)
      expect(await run()).toMatchObject({ removed: 1 })
      expect(await findKeys(store.link, `${store.prefix}:*`)).toEqual([store.link.keys.owners(TRACE.tenant)])
      expect(await store.log.find(parent.callId)).toBeNull()
    })

    test('removes what was listed of a trace whose only call was announced and never recorded', async () => {
      const { clock, store, run } = await openRetention(place)
      const call = newCall()
      await createCallIndex(store.link, clock).announce(call)
      await store.log.abandon(call.callId)
      clock.advance(BOUNDS.maxAgeMs)
      expect(await run()).toMatchObject({ removed: 0 })
      // What is left is the mark that keeps it from being recorded, which Redis itself removes.
      const mark = store.link.keys.trace(TRACE).call(call.callId)
      expect((await findKeys(store.link, `${store.prefix}:*`)).toSorted()).toEqual(
        [mark, store.link.keys.owners(TRACE.tenant)].toSorted(),
      )
      expect(await store.link.commands.pttl(mark)).toBeGreaterThan(0)
    })

    test('removes what a reader found in the lists and nowhere else, but not what is recorded just then', async () => {
      const { clock, store, run } = await openRetention(place)
      const { traces, changes } = store.link.keys
      const lists = [traces, changes].map((nameOf) => nameOf(TRACE.tenant, TRACE.owner))
      const names = ['ghost', 'late', 'fresh']
      const atMs = (name: string) => (name === 'fresh' ? clock.now() : clock.now() - MINUTE_MS - 1)
      // As a process leaves them that died within its write.
      for (const list of lists) await store.link.commands.zadd(list, ...names.flatMap((name) => [atMs(name), name]))
      expect(await listed(store, clock)).toEqual([])
      await recordRunning(store, { trace: named('late') })
      await run()
      for (const list of lists) {
        expect((await store.link.commands.zrange(list, 0, '-1')).toSorted()).toEqual(['fresh', 'late'])
      }
    })

    test('goes on in the same round where another removes the same traces at the same time', async () => {
      const { clock, store, run } = await openRetention(place)
      const names = Array.from({ length: 350 }, (_, at) => `t-${at}`)
      await Promise.all(names.map((name) => recordEnded(store, complete(), { trace: named(name) })))
      clock.advance(BOUNDS.maxAgeMs)
      const [one, other] = await Promise.all([run(), run()])
      expect(one.removed + other.removed).toBe(names.length)
      expect(await listed(store, clock)).toEqual([])
    })

    test('is done again soon while traces go, so that each round has little to remove', async () => {
      const { clock, store, run } = await openRetention(place)
      await endTraces(store, clock, ['a', 'b'])
      expect(await run()).toMatchObject({ removed: 0, isMore: false })
      clock.advance(BOUNDS.maxAgeMs)
      expect(await run()).toMatchObject({ removed: 2, isMore: true })
      expect(await run()).toMatchObject({ removed: 0, isMore: false })
    })

    test('removes the oldest of too many, in the order in which they ended', async () => {
      const { clock, store, run } = await openRetention(place)
      const late = await recordRunning(store, { trace: named('late') })
      await endTraces(store, clock, ['a', 'b', 'c'])
      await store.log.change({ call: late, events: [complete()] })
      clock.advance(MINUTE_MS)
      expect(await run({ maxTraces: 2 })).toMatchObject({ removed: 2 })
      expect(await listed(store, clock)).toEqual(['late', 'c'])
    })

    test('leaves what ended a moment ago to its readers, however many there are', async () => {
      const { clock, store, run } = await openRetention(place)
      await endTraces(store, clock, ['a'])
      await recordEnded(store, complete(), { trace: named('b') })
      expect(await run({ maxTraces: 1, maxBytes: 1 })).toMatchObject({ removed: 1 })
      expect(await listed(store, clock)).toEqual(['b'])
    })

    test('never removes a trace in which a call is open', async () => {
      const { clock, store, run } = await openRetention(place)
      await recordEnded(store, complete())
      const open = await recordRunning(store)
      clock.advance(10 * BOUNDS.maxAgeMs)
      expect(await run({ maxBytes: 1 })).toMatchObject({ removed: 0 })
      expect(await listed(store, clock)).toEqual([TRACE.traceId])
      await store.log.change({ call: open, events: [complete()] })
      clock.advance(BOUNDS.maxAgeMs)
      expect(await run()).toMatchObject({ removed: 1 })
    })

    test('removes what Redis holds too much of, and what was promised to be kept after the rest', async () => {
      const { clock, store, run } = await openRetention(place)
      await recordEnded(store, UNKNOWN, { trace: named('lost') })
      await recordEnded(store, complete(), { trace: named('task'), taskTtlMs: BOUNDS.deadLetterAgeMs })
      await endTraces(store, clock, ['a', 'b'])
      clock.advance(MINUTE_MS)
      expect(await run({ maxBytes: 1 })).toMatchObject({ removed: 2 })
      expect(await listed(store, clock)).toEqual(['lost', 'task'])
      clock.advance(MINUTE_MS)
      expect(await run({ maxBytes: 1 })).toMatchObject({ removed: 2 })
    })

    test('keeps a task as long as its caller asked for', async () => {
      const { clock, store, run } = await openRetention(place)
      await recordEnded(store, complete(), { taskTtlMs: 2 * BOUNDS.maxAgeMs })
      clock.advance(2 * BOUNDS.maxAgeMs - 1)
      expect(await run({ maxTraces: 1 })).toMatchObject({ removed: 0 })
      clock.advance(1)
      expect(await run()).toMatchObject({ removed: 1 })
    })

    test('keeps a dead letter until it counts as given up, and no longer than others once it is resolved', async () => {
      const { clock, store, run } = await openRetention(place)
      await recordEnded(store, UNKNOWN, { trace: named('lost') })
      const found = await recordEnded(store, UNKNOWN, { trace: named('found') })
      await store.log.resolve(found, { by: 'operator', reason: 'it was done' })
      clock.advance(BOUNDS.maxAgeMs)
      expect(await run()).toMatchObject({ removed: 1 })
      expect(await listed(store, clock)).toEqual(['lost'])
      clock.advance(BOUNDS.deadLetterAgeMs - BOUNDS.maxAgeMs - 1)
      expect(await run({ maxTraces: 1 })).toMatchObject({ removed: 0 })
      clock.advance(1)
      expect(await run()).toMatchObject({ removed: 1 })
      expect(await findKeys(store.link, `${store.prefix}:*`)).toEqual([store.link.keys.owners(TRACE.tenant)])
    })

    test('keeps a queued call that was given up as a dead letter, and a direct one whose agent was not reached no longer than others', async () => {
      const { clock, store, run } = await openRetention(place)
      const error = { code: -32000, message: 'gone', data: { title: 'AGENT_UNAVAILABLE' } }
      for (const mode of ['direct', 'queued'] as const) {
        const call = await recordRunning(store, { mode, trace: named(mode) })
        await store.log.change({ call, events: [{ event: 'failed', data: { error } }] })
      }
      clock.advance(BOUNDS.maxAgeMs)
      expect(await run()).toMatchObject({ removed: 1 })
      expect(await listed(store, clock)).toEqual(['queued'])
      clock.advance(BOUNDS.deadLetterAgeMs - BOUNDS.maxAgeMs)
      expect(await run()).toMatchObject({ removed: 1 })
      expect(await findKeys(store.link, `${store.prefix}:*`)).toEqual([store.link.keys.owners(TRACE.tenant)])
    })

    test('goes on with what a crash left half removed', async () => {
      const { clock, store, retention, run } = await openRetention(place)
      await endTraces(store, clock, ['a', 'b'])
      const facts = await retention.inspect(named('a'))
      if (facts === null) throw new Error('the trace is missing')
      await retention.remove(named('a'), facts)
      clock.advance(BOUNDS.maxAgeMs)
      expect(await run()).toMatchObject({ removed: 1 })
      expect(await findKeys(store.link, `${store.prefix}:*`)).toEqual([store.link.keys.owners(TRACE.tenant)])
    })

    test('leaves a trace alone that has begun anew since it was looked at', async () => {
      const { clock, store, retention } = await openRetention(place)
      const [ended] = await endTraces(store, clock, ['a'])
      const facts = await retention.inspect(named('a'))
      if (facts === null || ended === undefined) throw new Error('the trace is missing')
      await recordRunning(store, { trace: named('a') })
      expect(await retention.remove(named('a'), facts)).toBeNull()
      expect(await store.log.find(ended.callId)).toMatchObject({ state: 'completed' })
    })

    test('leaves nothing behind of a trace that two processes removed at once', async () => {
      const { clock, store, retention } = await openRetention(place)
      const [ended] = await endTraces(store, clock, ['a'])
      const facts = await retention.inspect(named('a'))
      if (facts === null || ended === undefined) throw new Error('the trace is missing')
      expect(await retention.remove(named('a'), facts)).toBeGreaterThan(0)
      expect(await retention.remove(named('a'), facts)).toBeNull()
      expect(await findKeys(store.link, store.link.keys.callIndex(ended.callId))).toEqual([])
    })

    test('lists a trace again whose next call was on its way while it was removed', async () => {
      const { clock, store, run } = await openRetention(place)
      await endTraces(store, clock, ['a'])
      clock.advance(BOUNDS.maxAgeMs)
      expect(await run()).toMatchObject({ removed: 1 })
      await recordRunning(store, { trace: named('a') })
      // As if it had been announced before its trace was taken from the lists.
      const { keys, commands } = store.link
      await commands.del(keys.traces(TRACE.tenant, TRACE.owner))
      await commands.del(keys.changes(TRACE.tenant, TRACE.owner))
      clock.advance(MINUTE_MS)
      await run()
      expect(await listed(store, clock)).toEqual(['a'])
    })

    test('waits with what the archive could not take, but not where bytes press', async () => {
      const { clock, store, run } = await openRetention(place)
      await endTraces(store, clock, ['a', 'b'])
      const archived: string[] = []
      const archive = async ({ traceId }: TraceRef) => archived.push(traceId) > 3
      clock.advance(BOUNDS.maxAgeMs)
      expect(await run({}, { archive: async () => false })).toMatchObject({ removed: 0, unarchived: 0 })
      clock.advance(-BOUNDS.maxAgeMs)
      expect(await run({ maxBytes: 1 }, { archive })).toMatchObject({ removed: 2, unarchived: 2 })
      // Some are looked at together, each at its own node of a cluster, so either may be offered first.
      expect(archived.toSorted()).toEqual(['a', 'b'])
    })
  })

  describe('traces of a version that knew no retention', () => {
    test('are taken up once, by their last change, and removed like the others', async () => {
      const { clock, store, run } = await openRetention(place)
      await endTraces(store, clock, ['a', 'b'])
      await store.link.commands.del(store.link.keys.endedTraces)
      await endTraces(store, clock, ['c'])
      expect(await adoptTraces(store.link)).toBe(2)
      expect(await adoptTraces(store.link)).toBe(0)
      expect(await run({ maxTraces: 1 })).toMatchObject({ removed: 2 })
      expect(await listed(store, clock)).toEqual(['c'])
    })
  })
}
