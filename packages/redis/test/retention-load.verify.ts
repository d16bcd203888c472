import { afterEach, describe, expect, test } from '@jest/globals'
import { type RetentionRound, runRetention } from '@synchub/core'
import { createRetentionStore } from '../src/index.js'
import { complete, recordEnded, recordRunning, TRACE } from './call/sample-call.js'
import { ManualClock } from './clock/manual-clock.js'
import { Collector } from './feed/collector.js'
import { openTestFeeds } from './feed/test-feeds.js'
import { closeAll } from './place/cleanup.js'
import { startTestServer } from './place/redis-server.js'
import { findKeys, openTestStore } from './place/test-store.js'

afterEach(closeAll)

const MIB = 1024 * 1024
const BOUND = 48 * MIB
const TRACES = 24_000
const TRACES_A_SECOND = 500
const AT_ONCE = 50
const OWNERS = ['alice', 'bob', 'carol']

async function openLoaded() {
  const server = await startTestServer()
  const clock = new ManualClock()
  const store = await openTestStore({ url: () => server.url }, { clock })
  const config = {
    maxAgeMs: 2 ** 40,
    maxTraces: 1_000_000,
    maxBytes: BOUND,
    maxEventsPerTrace: 1000,
    deadLetterAgeMs: 1,
  }
  const retention = [createRetentionStore(store.link, clock), createRetentionStore(store.link, clock)]
  /** As two dispatchers do of which the one has lost its lease, and does not know it yet. */
  const run = (): Promise<RetentionRound[]> =>
    Promise.all(retention.map((own) => runRetention({ config, clock, log: store.log, store: own })))
  return { clock, store, run, excessBytes: () => createRetentionStore(store.link, clock).excessBytes(BOUND) }
}

describe('retention while calls come all the time', () => {
  test('holds its bound in bytes, keeps the youngest, and lets nobody who watches wait', async () => {
    const { clock, store, run, excessBytes } = await openLoaded()
    const feeds = openTestFeeds(store, { clock })
    const watched = await recordRunning(store, { trace: { ...TRACE, traceId: 'watched' } })
    const watcher = await Collector.join(feeds, { trace: watched.trace })
    let removed = 0
    let worstExcess = 0
    for (let done = 0; done < TRACES; done += TRACES_A_SECOND) {
      for (let at = done; at < done + TRACES_A_SECOND; at += AT_ONCE) {
        const some = Array.from({ length: AT_ONCE }, (_, place) => {
          const owner = OWNERS[(at + place) % OWNERS.length] ?? ''
          return recordEnded(store, complete(), { trace: { ...TRACE, owner, traceId: `trace-${at + place}` } })
        })
        await Promise.all(some)
      }
      clock.advance(1000)
      for (const round of await run()) removed += round.removed
      worstExcess = Math.max(worstExcess, await excessBytes())
    }
    await store.log.change({ call: watched, events: [complete()] })
    await watcher.untilSeq(4)
    expect([watcher.seqs, watcher.resets]).toEqual([[1, 2, 3, 4], []])
    // A second's worth may come between two rounds.
    expect(worstExcess).toBeLessThan(4 * MIB)
    expect(await excessBytes()).toBeLessThanOrEqual(0)
    expect(removed).toBeGreaterThan(TRACES / 4)
    const left = await findKeys(store.link, `${store.prefix}:*:trace`)
    expect(left).toHaveLength(TRACES + 1 - removed)
    expect(left.some((key) => key.includes(`trace-${TRACES - 1}}`))).toBe(true)
    expect(left.some((key) => key.includes('trace-0}'))).toBe(false)
    const indexed = await findKeys(store.link, `${store.prefix}:call:*`)
    expect(indexed).toHaveLength(left.length)
  }, 240_000)
})
