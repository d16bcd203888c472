import { afterEach, describe, expect, test } from '@jest/globals'
import type { NewCall } from '@synchub/core'
import {
  complete,
  newCall,
  progress,
  RECEIVED,
  REFUSED,
  recordEnded,
  recordRunning,
  TRACE,
} from '../call/sample-call.js'
import { Collector } from '../feed/collector.js'
import { openTestFeeds } from '../feed/test-feeds.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { expectNoChannels, type TestStore } from '../place/test-store.js'
import { openRetention } from './retention-contract.js'

const DAY_MS = 86_400_000
const LINGER_MS = 100

async function report({ log }: TestStore, call: NewCall, from: number, to: number): Promise<void> {
  const values = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  await Promise.all(values.map((value) => log.change({ call, events: [progress(value)] })))
}

/** What those who watch see of retention. */
export function describeWatchedRetention(place: RedisPlace): void {
  afterEach(closeAll)

  const open = async () => {
    const opened = await openRetention(place)
    const feeds = openTestFeeds(opened.store, { clock: opened.clock, lingerMs: LINGER_MS, checkMs: 3_600_000 })
    return { ...opened, feeds }
  }

  describe('a trace that is removed', () => {
    test('resets those who follow it, and they see its next event', async () => {
      const { clock, store, feeds, run } = await open()
      await recordEnded(store, complete())
      const watcher = await Collector.join(feeds, { follow: true })
      await watcher.untilSeq(4)
      clock.advance(DAY_MS)
      await run()
      await watcher.until(({ resets }) => resets.length > 0)
      expect(watcher.resets).toEqual([{ reason: 'trimmed', snapshot: null, at: 4 }])
      await recordRunning(store)
      await watcher.until(({ entries }) => entries.length === 7)
      expect([watcher.seqs, watcher.resets.length]).toEqual([[1, 2, 3, 4, 1, 2, 3], 1])
    })

    test('resets and ends a reader that had not read all of it', async () => {
      const { clock, store, feeds, run } = await open()
      await recordEnded(store, complete())
      const slow = new Collector()
      slow.hasRoom = () => false
      await slow.watch(feeds)
      await slow.untilSeq(4)
      clock.advance(DAY_MS)
      await run()
      await slow.until(({ resets }) => resets.length > 0)
      slow.hasRoom = () => true
      slow.resume()
      await clock.untilPlanned()
      clock.advance(LINGER_MS)
      await slow.untilEnd()
      expect(slow.resets).toEqual([{ reason: 'trimmed', snapshot: null, at: 4 }])
      await expectNoChannels(store)
    })
  })

  describe('a log that grows beyond its bound', () => {
    test('loses its oldest events and the calls that ended there, says so, and goes on for those who watch', async () => {
      const { store, feeds, run } = await open()
      const old = await recordEnded(store, complete())
      const call = await recordRunning(store)
      const watcher = await Collector.join(feeds)
      await report(store, call, 1, 2500)
      expect(await run({ maxEventsPerTrace: 1000 })).toMatchObject({ trimmedEvents: 1507, removed: 0 })
      expect(await run({ maxEventsPerTrace: 1000 })).toMatchObject({ trimmedEvents: 0 })
      await report(store, call, 2501, 2510)
      await watcher.untilSeq(2517)
      expect([watcher.seqs.length, watcher.resets]).toEqual([2517, []])
      expect(await store.log.find(old.callId)).toBeNull()
      expect(await store.log.find(call.callId)).toMatchObject({ state: 'running' })
      const snapshot = await store.reader.snapshot(TRACE)
      expect(snapshot).toMatchObject({ firstSeq: 1508, lastSeq: 2517, callCount: 2, truncated: true })
      expect((await store.reader.readAfter(TRACE, null, 1)).map(({ seq }) => seq)).toEqual([1508])
    })

    test('loses them too where all of it are calls that were refused', async () => {
      const { store, run } = await open()
      for (let at = 0; at < 20; at++) {
        await Promise.all(Array.from({ length: 60 }, () => store.log.record(newCall(), [RECEIVED, REFUSED])))
      }
      expect(await run({ maxEventsPerTrace: 1000 })).toMatchObject({ trimmedEvents: 1001, removed: 0 })
      expect(await store.reader.snapshot(TRACE)).toMatchObject({ firstSeq: 1002, lastSeq: 2400, openCalls: 0 })
    })

    test('has room again for as much as was cut off', async () => {
      const { store, run } = await open()
      const call = await recordRunning(store)
      const tell = (value: number, maxProgressBytes: number) =>
        store.log.change({ call, attempt: 1, events: [progress(value)], maxProgressBytes })
      await report(store, call, 1, 2500)
      const { trace } = store.link.keys.trace(TRACE)
      const held = Number(await store.link.commands.hget(trace, 'progressBytes'))
      expect(await tell(2501, held)).toEqual({ kind: 'full' })
      const whole = held + Number(await store.link.commands.hget(trace, 'bytes'))
      expect(await store.log.record(newCall(), [RECEIVED], whole)).toBe('full')
      await run({ maxEventsPerTrace: 1000 })
      const left = Number(await store.link.commands.hget(trace, 'progressBytes'))
      expect(left / held).toBeCloseTo(1000 / 2503, 2)
      expect(await tell(2501, held)).toMatchObject({ kind: 'changed' })
      expect(await store.log.record(newCall(), [RECEIVED], whole)).toBe('recorded')
    })

    test('resets a reader whose place was cut off', async () => {
      const { store, feeds, run } = await open()
      const call = await recordRunning(store)
      await report(store, call, 1, 2500)
      const [first] = await store.reader.readAfter(TRACE, null, 1)
      await run({ maxEventsPerTrace: 1000 })
      const watcher = await Collector.join(feeds, { after: first?.id ?? null })
      await watcher.until(({ resets }) => resets.length > 0)
      expect(watcher.resets).toMatchObject([{ reason: 'trimmed', snapshot: { firstSeq: 1504, lastSeq: 2503 } }])
      await report(store, call, 2501, 2501)
      await watcher.untilSeq(2504)
      expect(watcher.seqs).toEqual([2504])
    })
  })
}
