import { afterEach, describe, expect, test } from '@jest/globals'
import type { NewCall } from '@synchub/core'
import type { EntryBatch } from '../../src/index.js'
import {
  complete,
  newCall,
  progress,
  RECEIVED,
  readEvents,
  recordRunning,
  started,
  TRACE,
} from '../call/sample-call.js'
import { Collector } from '../feed/collector.js'
import { openTestFeeds } from '../feed/test-feeds.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore, removeTrace, type TestStore } from '../place/test-store.js'

/** How events reach watchers who are slow, or whose place in the log is gone. */
export function describeStreamFlow(place: RedisPlace): void {
  afterEach(closeAll)

  describe('a slow watcher', () => {
    test('is given no more than it takes, holds nobody up, and comes back by its cursor', async () => {
      const store = await openTestStore(place)
      const feeds = openTestFeeds(store)
      const call = await recordRunning(store)
      const slow = await Collector.join(feeds)
      const quick = await Collector.join(feeds)
      await Promise.all([slow.untilSeq(3), quick.untilSeq(3)])
      slow.hasRoom = () => false
      await report(store, call, 1, 2000)
      await quick.untilSeq(2003)
      const taken = slow.entries.length
      expect(taken).toBeLessThan(2003)
      // From here on it takes a page at a time, and says when it has room again.
      while ((slow.seqs.at(-1) ?? 0) < 2003) {
        const before = slow.entries.length
        slow.resume()
        await slow.until(({ entries }) => entries.length > before)
        expect(slow.entries.length - before).toBeLessThanOrEqual(500)
      }
      slow.hasRoom = () => true
      slow.resume()
      await store.log.change({ call, events: [complete()] })
      await Promise.all([slow.untilEnd(), quick.untilEnd()])
      expect(slow.entries).toEqual(quick.entries)
      expect(slow.seqs).toEqual(Array.from({ length: 2004 }, (_, at) => at + 1))
    }, 15_000)

    test('hears nothing more once it is closed', async () => {
      const store = await openTestStore(place)
      const feeds = openTestFeeds(store)
      const call = await recordRunning(store)
      const [closed, other] = [await Collector.join(feeds), await Collector.join(feeds)]
      await Promise.all([closed.untilSeq(3), other.untilSeq(3)])
      closed.close()
      await store.log.change({ call, events: [complete()] })
      await other.untilEnd()
      expect([closed.seqs, closed.endCount]).toEqual([[1, 2, 3], 0])
    })

    test('whose next event was trimmed meanwhile is reset', async () => {
      const store = await openTestStore(place)
      const feeds = openTestFeeds(store)
      const call = await recordRunning(store)
      const slow = await Collector.join(feeds)
      const quick = await Collector.join(feeds)
      await Promise.all([slow.untilSeq(3), quick.untilSeq(3)])
      slow.hasRoom = () => false
      await report(store, call, 1, 1)
      await slow.untilSeq(4)
      await report(store, call, 2, 50)
      await quick.untilSeq(53)
      await store.link.commands.xtrim(store.link.keys.trace(TRACE).log, 'MAXLEN', 1)
      slow.hasRoom = () => true
      slow.resume()
      await slow.until(({ resets }) => resets.length > 0)
      expect(slow.resets).toMatchObject([{ reason: 'trimmed', at: 4, snapshot: { lastSeq: 53 } }])
      await store.log.change({ call, events: [complete()] })
      await slow.untilEnd()
      expect(slow.seqs).toEqual([1, 2, 3, 4, 54])
      expect(quick.resets).toEqual([])
    })
  })

  describe('live watchers', () => {
    test('are given the same batch, so that its bytes are made once', async () => {
      const store = await openTestStore(place)
      const feeds = openTestFeeds(store)
      const call = await recordRunning(store)
      let made = 0
      const watchers = [await Collector.join(feeds), await Collector.join(feeds), await Collector.join(feeds)]
      await Promise.all(watchers.map((watcher) => watcher.untilSeq(3)))
      const texts = new Set<object>()
      for (const watcher of watchers) {
        const deliver = watcher.deliver.bind(watcher)
        watcher.deliver = (batch: EntryBatch) => {
          texts.add(
            batch.made('bytes', (entries) => {
              made++
              return { text: entries.map(({ data }) => data).join('') }
            }),
          )
          return deliver(batch)
        }
      }
      await store.log.change({ call, events: [progress(1)] })
      await Promise.all(watchers.map((watcher) => watcher.untilSeq(4)))
      expect([made, texts.size]).toEqual([1, 1])
    })
  })

  describe('a watcher whose cursor is of no use', () => {
    test.each([
      ['invalid', 'nonsense'],
      ['future', '9999-1'],
      ['trimmed', 'first'],
      ['replaced', 'lost'],
    ])('is reset (%s) to a snapshot and goes on right after it', async (reason, kind) => {
      const store = await openTestStore(place)
      const feeds = openTestFeeds(store)
      const ids = (await writeTrace(store, 10)).map(({ id }) => id)
      if (kind === 'lost') await removeTrace(store.link, TRACE)
      const successor = await openTestStore(place, { prefix: store.prefix })
      const call = await recordRunning(successor)
      await report(successor, call, 1, 20)
      if (kind === 'first') await store.link.commands.xtrim(store.link.keys.trace(TRACE).log, 'MAXLEN', 5)
      const cursor = { first: ids[0], lost: ids[5] }[kind] ?? kind
      const writing = report(successor, call, 21, 300)
      const watcher = await Collector.join(feeds, { after: cursor })
      await writing
      await successor.log.change({ call, events: [complete()] })
      await finish(successor)
      await watcher.untilEnd()
      expect(watcher.resets).toMatchObject([{ reason, at: 0 }])
      await expectWholeAfterReset(watcher, store)
    })

    test('is reset to nothing where there is no trace, and then sees it from its first event', async () => {
      const store = await openTestStore(place)
      const feeds = openTestFeeds(store)
      const watcher = await Collector.join(feeds, { after: '5-1', follow: true })
      await watcher.until(({ resets }) => resets.length > 0)
      expect(watcher.resets).toEqual([{ reason: 'future', snapshot: null, at: 0 }])
      await recordRunning(store)
      await watcher.untilSeq(3)
      expect(watcher.seqs).toEqual([1, 2, 3])
    })
  })

  describe('a log that is lost and begun anew under its watchers', () => {
    test('resets them, and they miss nothing of the new one, however fast it is written', async () => {
      for (let round = 0; round < 10; round++) {
        const store = await openTestStore(place)
        const feeds = openTestFeeds(store, { checkMs: 60_000 })
        await writeTrace(store, 10 + round)
        const watchers = await Promise.all(Array.from({ length: 10 }, () => Collector.join(feeds)))
        await Promise.all(watchers.map((watcher) => watcher.untilSeq(10 + round)))
        const [slow] = watchers
        if (slow !== undefined) slow.hasRoom = () => false
        await removeTrace(store.link, TRACE)
        const successor = await openTestStore(place, { prefix: store.prefix })
        const call = newCall({ mode: 'direct' })
        await successor.log.record(call, [RECEIVED, { event: 'accepted', data: {} }, started(1)])
        await report(successor, call, 1, 400)
        await successor.log.change({ call, events: [complete()] })
        if (slow !== undefined) {
          await slow.until(({ resets }) => resets.length > 0)
          slow.hasRoom = () => true
          slow.resume()
        }
        for (const watcher of watchers) {
          await watcher.untilEnd()
          expect(watcher.resets.length).toBeGreaterThan(0)
          await expectWholeAfterReset(watcher, store)
        }
        expect([feeds.feedCount, feeds.failures]).toEqual([0, []])
        await closeAll()
      }
    }, 20_000)

    test('resets them when they learn of it only after their connection was away', async () => {
      const store = await openTestStore(place)
      const feeds = openTestFeeds(store, { checkMs: 60_000 })
      await writeTrace(store, 10)
      const watcher = await Collector.join(feeds)
      await watcher.untilSeq(10)
      const { subscriber } = store.link
      const ended = new Promise((resolve) => subscriber.once('end', resolve))
      subscriber.disconnect()
      await ended
      await removeTrace(store.link, TRACE)
      const successor = await openTestStore(place, { prefix: store.prefix })
      const call = await recordRunning(successor)
      await report(successor, call, 1, 7)
      await subscriber.connect()
      await watcher.until(({ resets }) => resets.length > 0)
      expect(watcher.resets).toMatchObject([{ reason: 'replaced', at: 10 }])
      await successor.log.change({ call, events: [complete()] })
      await watcher.untilEnd()
      await expectWholeAfterReset(watcher, store)
    })
  })
}

/** Progress from `from` to `to`, all in flight at once. */
async function report({ log }: TestStore, call: NewCall, from: number, to: number): Promise<void> {
  const values = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  await Promise.all(values.map((value) => log.change({ call, events: [progress(value)] })))
}

/** A trace of `count` events whose call is still open. */
async function writeTrace(store: TestStore, count: number) {
  const call = await recordRunning(store)
  await report(store, call, 1, count - 3)
  return readEvents(store)
}

/** Ends the calls that are open, so that the streams end. */
async function finish(store: TestStore): Promise<void> {
  const view = await store.reader.snapshot(TRACE)
  for (const { callId, tool, state } of view?.calls ?? []) {
    if (state === 'running')
      await store.log.change({ call: { callId, tool, mode: 'direct', trace: TRACE }, events: [complete()] })
  }
}

/** After its last reset a watcher has seen just what stands in the log after the snapshot's cursor. */
async function expectWholeAfterReset(watcher: Collector, store: TestStore): Promise<void> {
  const { snapshot, at } = watcher.resets.at(-1) ?? { snapshot: null, at: 0 }
  const expected = await store.reader.readAfter(TRACE, snapshot?.cursor ?? null, 10_000)
  expect(watcher.entries.slice(at).map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
}
