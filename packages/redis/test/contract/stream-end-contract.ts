import { afterEach, describe, expect, test } from '@jest/globals'
import { complete, progress, recordEnded, recordQueued, recordRunning, TRACE } from '../call/sample-call.js'
import { ManualClock } from '../clock/manual-clock.js'
import { Collector } from '../feed/collector.js'
import { openTestFeeds } from '../feed/test-feeds.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { expectNoChannels, openTestStore } from '../place/test-store.js'

const LINGER_MS = 100

/** When the streams of a trace end, and what is left of them. */
export function describeStreamEnds(place: RedisPlace): void {
  afterEach(closeAll)

  const open = async () => {
    const clock = new ManualClock()
    const store = await openTestStore(place, { clock })
    return { clock, store, feeds: openTestFeeds(store, { clock, lingerMs: LINGER_MS }) }
  }

  describe('the stream of a trace', () => {
    test('ends once nothing is open and the linger has passed', async () => {
      const { clock, store, feeds } = await open()
      const call = await recordRunning(store)
      const watcher = await Collector.join(feeds)
      await watcher.untilSeq(3)
      clock.advance(LINGER_MS * 10)
      expect(clock.delaysMs).toEqual([])
      await store.log.change({ call, events: [complete()] })
      expect(await clock.untilPlanned()).toEqual([LINGER_MS])
      clock.advance(LINGER_MS - 1)
      expect(clock.delaysMs).toEqual([1])
      clock.advance(1)
      await watcher.untilEnd()
      expect(watcher.seqs).toEqual([1, 2, 3, 4])
      expect(watcher.endCount).toBe(1)
      expect(feeds.feedCount).toBe(0)
      await expectNoChannels(store)
    })

    test('stays open for a further call that comes within the linger', async () => {
      const { clock, store, feeds } = await open()
      await recordEnded(store, complete())
      const watcher = await Collector.join(feeds)
      await watcher.untilSeq(4)
      clock.advance(LINGER_MS - 1)
      const further = await recordQueued(store)
      await watcher.untilSeq(6)
      clock.advance(LINGER_MS * 10)
      expect([clock.delaysMs, watcher.endCount]).toEqual([[], 0])
      await store.log.change({ call: further, events: [{ event: 'cancelled', data: {} }] })
      await watcher.untilSeq(7)
      expect(await clock.untilPlanned()).toEqual([LINGER_MS])
      clock.advance(LINGER_MS)
      await watcher.untilEnd()
      expect(watcher.seqs).toEqual([1, 2, 3, 4, 5, 6, 7])
    })

    test('stays open when a further call was recorded of which no message has come', async () => {
      const { clock, store, feeds } = await open()
      await recordEnded(store, complete())
      const watcher = await Collector.join(feeds)
      await watcher.untilSeq(4)
      await store.link.subscriber.unsubscribe(store.link.keys.trace(TRACE).channel)
      const further = await recordRunning(store)
      clock.advance(LINGER_MS)
      await watcher.untilSeq(7)
      clock.advance(LINGER_MS)
      await store.link.subscriber.subscribe(store.link.keys.trace(TRACE).channel)
      await store.log.change({ call: further, events: [complete()] })
      await watcher.untilSeq(8)
      expect([await clock.untilPlanned(), watcher.endCount]).toEqual([[LINGER_MS], 0])
      clock.advance(LINGER_MS)
      await watcher.untilEnd()
    })

    test('of a trace that ended long ago gives its events and ends at once', async () => {
      const { clock, store, feeds } = await open()
      await recordEnded(store, complete())
      clock.advance(60_000)
      const [whole, fromTheEnd] = [new Collector(), new Collector()]
      for (const [watcher, after] of [
        [whole, null],
        [fromTheEnd, (await store.reader.head(TRACE))?.id ?? null],
      ] as const) {
        await watcher.watch(feeds, { after })
        expect(await clock.untilPlanned()).toEqual([0])
        clock.advance(0)
        await watcher.untilEnd()
      }
      expect([whole.seqs, fromTheEnd.seqs]).toEqual([[1, 2, 3, 4], []])
      expect(feeds.feedCount).toBe(0)
    })

    test('waits for a trace that does not exist yet, and never ends, when it follows', async () => {
      const { clock, store, feeds } = await open()
      const follower = await Collector.join(feeds, { follow: true })
      const other = await Collector.join(feeds)
      await recordEnded(store, complete())
      await Promise.all([follower.untilSeq(4), other.untilSeq(4)])
      clock.advance(LINGER_MS)
      await other.untilEnd()
      clock.advance(3_600_000)
      expect([clock.delaysMs, follower.endCount, feeds.feedCount]).toEqual([[], 0, 1])
      await recordEnded(store, complete())
      await follower.untilSeq(8)
      expect(follower.seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      follower.close()
      await expectNoChannels(store)
    })

    test('ends for a slow watcher only once that has everything', async () => {
      const { clock, store, feeds } = await open()
      const call = await recordRunning(store)
      const [slow, quick] = [await Collector.join(feeds), await Collector.join(feeds)]
      await Promise.all([slow.untilSeq(3), quick.untilSeq(3)])
      slow.hasRoom = () => false
      await store.log.change({ call, events: [progress(1)] })
      await slow.untilSeq(4)
      await store.log.change({ call, events: [complete()] })
      await quick.untilSeq(5)
      clock.advance(LINGER_MS)
      await quick.untilEnd()
      expect([slow.seqs.at(-1), slow.endCount]).toEqual([4, 0])
      slow.hasRoom = () => true
      slow.resume()
      expect(await clock.untilPlanned()).toEqual([0])
      clock.advance(0)
      await slow.untilEnd()
      expect(slow.seqs).toEqual([1, 2, 3, 4, 5])
    })
  })

  describe('the subscription to a trace', () => {
    test('is one however many watch, and goes with the last of them', async () => {
      const { store, feeds } = await open()
      await recordRunning(store)
      const watchers = await Promise.all(Array.from({ length: 50 }, () => Collector.join(feeds)))
      const other = await Collector.join(feeds, { trace: { ...TRACE, traceId: 'other' }, follow: true })
      const { channel } = store.link.keys.trace(TRACE)
      expect(await store.link.subscriber.pubsub('NUMSUB', channel)).toEqual([channel, 1])
      expect(feeds.feedCount).toBe(2)
      const [last, ...others] = watchers
      for (const watcher of others) watcher.close()
      expect(feeds.feedCount).toBe(2)
      last?.close()
      expect(feeds.feedCount).toBe(1)
      other.close()
      await expectNoChannels(store)
    })

    test('leaves nothing behind when watches are closed before they are ready', async () => {
      const { store, feeds } = await open()
      const call = await recordRunning(store)
      for (let round = 0; round < 20; round++) {
        const watching = Array.from({ length: 3 }, () => Collector.join(feeds))
        // Every other round closes them together, so that a new subscription meets the end of the old one.
        if (round % 2 === 0) for (const watcher of await Promise.all(watching)) watcher.close()
        else await Promise.all(watching.map(async (joining) => (await joining).close()))
      }
      const watcher = await Collector.join(feeds)
      await store.log.change({ call, events: [progress(1)] })
      await watcher.untilSeq(4)
      watcher.close()
      expect(feeds.feedCount).toBe(0)
      await expectNoChannels(store)
    })

    test('ends with the feeds, whose watchers hear nothing more', async () => {
      const { store, feeds } = await open()
      const call = await recordRunning(store)
      const watcher = await Collector.join(feeds)
      const joining = Collector.join(feeds, { trace: { ...TRACE, traceId: 'other' } })
      await watcher.untilSeq(3)
      feeds.close()
      await joining
      await store.log.change({ call, events: [complete()] })
      expect(feeds.feedCount).toBe(0)
      await expectNoChannels(store)
      expect([watcher.seqs, watcher.endCount, watcher.failures]).toEqual([[1, 2, 3], 0, []])
    })

    test('taken up while the last one is given up misses nothing that is published meanwhile', async () => {
      const { store, feeds } = await open()
      const call = await recordRunning(store)
      for (let round = 1; round <= 30; round++) {
        const before = await Collector.join(feeds)
        before.close()
        const watcher = Collector.join(feeds)
        await store.log.change({ call, events: [progress(round)] })
        await (await watcher).untilSeq(3 + round)
        const again = await watcher
        again.close()
      }
      await expectNoChannels(store)
    })
  })
}
