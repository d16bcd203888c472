import { randomInt } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { NewCall } from '@synchub/core'
import type { LogEntry, Subscriptions } from '../../src/index.js'
import { complete, progress, recordRunning, TRACE } from '../call/sample-call.js'
import type { Collector } from '../feed/collector.js'
import { watchPersistently } from '../feed/persistent-reader.js'
import { openTestFeeds, type TestFeeds } from '../feed/test-feeds.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { expectNoChannels, openTestStore, sever, type TestStore } from '../place/test-store.js'

/** How much is written, and how many watch. */
export interface SeamSize {
  readonly events: number
  readonly watchers: number
}

/** A command that was lost with its connection holds a watcher up for so long, and not for the whole test. */
const HUB_TIMEOUT_MS = 5000

/** Steps that the writer keeps in flight. */
const PACE = 20

/** The seam between log and live path (design section 6). */
export function describeSeam(place: RedisPlace, size: SeamSize): void {
  afterEach(closeAll)

  describe(`${size.watchers} watchers who join at random moments while ${size.events} events are written`, () => {
    test('each see every event once and in order, then the end', async () => {
      const feeds = await expectNothingMissed(place, size)
      expect(feeds.failures).toEqual([])
    }, 60_000)
  })
}

/** The losses that the seam must stand. */
export function describeSeamLosses(place: RedisPlace, size: SeamSize): void {
  const share = (part: number) => Math.round(part * size.events)
  afterEach(closeAll)

  describe(`${size.watchers} watchers who join at random moments while ${size.events} events are written`, () => {
    test('miss nothing when the connection of the subscriptions is lost', async () => {
      const at = [share(0.2), share(0.4), share(0.7)]
      await expectNothingMissed(place, size, { at, disturb: ({ link }) => sever(link.subscriber) })
    }, 60_000)

    test('miss nothing when the connection of the commands is lost', async () => {
      const at = [share(0.2), share(0.4), share(0.7)]
      await expectNothingMissed(place, size, { at, disturb: ({ link }) => sever(link.commands) })
    }, 60_000)

    test('miss nothing when both connections are lost at once', async () => {
      const at = [share(0.3), share(0.6), size.events]
      const disturb = ({ link }: TestStore) => Promise.all([sever(link.subscriber), sever(link.commands)])
      await expectNothingMissed(place, size, { at, disturb })
    }, 60_000)

    test('miss nothing when messages are lost without a word', async () => {
      await expectNothingMissed(place, size, { spoil: loseMessages })
    }, 60_000)

    test('miss nothing when the subscription itself is lost without a word', async () => {
      const disturb = async ({ link, reader }: TestStore) => {
        const { channel } = link.keys.trace(TRACE)
        const writtenEvents = async () => (await reader.head(TRACE))?.seq ?? 0
        await link.subscriber.unsubscribe(channel)
        const missedFrom = await writtenEvents()
        while ((await writtenEvents()) < Math.min(missedFrom + PACE, size.events)) await nextTurn()
        await link.subscriber.subscribe(channel)
      }
      await expectNothingMissed(place, size, { at: [share(0.2), share(0.6)], disturb })
    }, 60_000)
  })
}

interface Trouble {
  /** Numbers of events after which `disturb` runs. */
  readonly at?: readonly number[]
  /** What befalls the store of the watching hub. */
  disturb?(hub: TestStore): Promise<unknown>
  /** Puts a worse network between. */
  spoil?(subscriptions: Subscriptions): Subscriptions
}

/** Writes and watches to the end, and checks that all of it arrived, once and in order, and that nothing is left behind. */
async function expectNothingMissed(
  place: RedisPlace,
  { events, watchers }: SeamSize,
  { at = [], disturb = async () => undefined, spoil = (subscriptions) => subscriptions }: Trouble = {},
): Promise<TestFeeds> {
  const hub = await openTestStore(place, { commandTimeoutMs: HUB_TIMEOUT_MS })
  const writer = await openTestStore(place, { prefix: hub.prefix })
  const feeds = openTestFeeds(hub, { checkMs: 200, subscriptions: spoil(hub.subscriptions) })
  const call = await recordRunning(writer)
  const ids = (await hub.reader.readAfter(TRACE, null, 10)).map(({ id }) => id)
  const joins = Array.from({ length: watchers }, () => randomInt(events)).toSorted((left, right) => left - right)
  const troubles = [...at]
  const watching: Promise<Watched>[] = []
  const disturbing: Promise<unknown>[] = []
  while (ids.length < events || joins.length > 0 || troubles.length > 0) {
    for (; joins[0] !== undefined && joins[0] <= ids.length; joins.shift())
      watching.push(watchFrom(feeds, pickCursor(ids)))
    for (; troubles[0] !== undefined && troubles[0] <= ids.length; troubles.shift()) disturbing.push(disturb(hub))
    ids.push(...(await writeSome(writer, call, ids.length, events)))
    await nextTurn()
  }
  await writer.log.change({ call, events: [complete()] })
  await Promise.all(disturbing)
  const watched = await Promise.all(watching)
  const log = await writer.reader.readAfter(TRACE, null, events + 10)
  expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: events + 1 }, (_, index) => index + 1))
  expect(watched).toHaveLength(watchers)
  for (const { after, collector } of watched) {
    const from = after === null ? 0 : ids.indexOf(after) + 1
    expect(findDifference(collector.entries, log.slice(from))).toBeNull()
    expect([collector.endCount, collector.resets]).toEqual([1, []])
  }
  expect(feeds.feedCount).toBe(0)
  await expectNoChannels(hub)
  return feeds
}

interface Watched {
  readonly after: string | null
  readonly collector: Collector
}

async function watchFrom(feeds: TestFeeds, after: string | null): Promise<Watched> {
  return { after, collector: await watchPersistently(feeds, after) }
}

/** Compared by hand: a million comparisons of `expect` would take minutes. */
function findDifference(seen: readonly LogEntry[], expected: readonly LogEntry[]): string | null {
  if (seen.length !== expected.length) return `${seen.length} events instead of ${expected.length}`
  const at = seen.findIndex((entry, index) => {
    const { id, event, callId, data } = expected[index] ?? {}
    return entry.id !== id || entry.event !== event || entry.callId !== callId || entry.data !== data
  })
  return at === -1 ? null : `${seen[at]?.id} instead of ${expected[at]?.id}`
}

/** Half of the watchers come with a cursor of some earlier event. */
function pickCursor(ids: readonly string[]): string | null {
  return randomInt(2) === 0 ? null : (ids[randomInt(ids.length)] ?? null)
}

async function writeSome({ log }: TestStore, call: NewCall, from: number, to: number): Promise<string[]> {
  const steps = Array.from({ length: Math.min(PACE, to - from) }, (_, index) =>
    log.change({ call, attempt: 1, events: [progress(from + index)] }),
  )
  const outcomes = await Promise.all(steps)
  return outcomes.map((outcome) => (outcome.kind === 'changed' ? outcome.lastEventId : outcome.kind))
}

/** A network that swallows every tenth message or so. */
function loseMessages(subscriptions: Subscriptions): Subscriptions {
  return {
    ...subscriptions,
    add: (channel, listener) =>
      subscriptions.add(channel, (message) => {
        if (randomInt(10) > 0) listener(message)
      }),
  }
}
