import { afterEach, describe, expect, test } from '@jest/globals'
import type { CallChange } from '@synchub/core'
import { createCallIndex, createCallLog, openAgentPaces } from '../../src/index.js'
import { ACCEPTED, CANCELLED, complete, FAILED, newCall, RECEIVED, started, TRACE } from '../call/sample-call.js'
import { ManualClock } from '../clock/manual-clock.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { findKeys, openTestStore } from '../place/test-store.js'

type Ending = CallChange['events'][number]

const HOUR_MS = 3_600_000

/** How the runs of agents are counted. */
export function describePaces(place: RedisPlace): void {
  afterEach(closeAll)

  const open = async () => {
    const clock = new ManualClock(1_800_000_000_000 - (1_800_000_000_000 % HOUR_MS))
    const { link } = await openTestStore(place)
    const paces = openAgentPaces(link, clock, (thrown) => {
      throw thrown
    })
    const log = createCallLog(link, createCallIndex(link, clock), clock, paces)
    /** Runs a call that waits a second first. */
    const run = async (agent: string, ranMs: number, ending: Ending = complete(), owner = TRACE.owner) => {
      const call = newCall({ agent, trace: { ...TRACE, owner } })
      await log.record(call, [RECEIVED, ACCEPTED])
      clock.advance(1000)
      await log.change({ call, events: [started(1)], opensAttempt: true })
      clock.advance(ranMs)
      await log.change({ call, events: [ending] })
    }
    return { clock, link, log, paces, run }
  }
  const { tenant, owner } = TRACE

  describe('the pace of an agent', () => {
    test('was that of traces which began with it: it is that of its runs, whoever asked for them, without their wait', async () => {
      const { paces, run, log, clock } = await open()
      for (const ranMs of [100, 100, 100, 4000]) await run('Library', ranMs)
      await run('Planner', 9000)
      const refused = newCall({ agent: 'Library' })
      await log.record(refused, [RECEIVED, ACCEPTED])
      await log.change({ call: refused, events: [CANCELLED] })
      await paces.close()
      clock.advance(HOUR_MS)
      const pace = await paces.read('Library', { tenant })
      expect(pace).toMatchObject({ runs: 4, failed: 0 })
      expect(Math.abs(Number(pace.medianMs) - 100)).toBeLessThan(10)
      expect(Math.abs(Number(pace.slowMs) - 4000)).toBeLessThan(400)
      expect(pace.perHour.slice(-3)).toEqual([0, 4, 0])
      expect(pace.medianMsPerHour).toEqual([pace.medianMs])
    })

    test('counts what failed, the tool itself too', async () => {
      const { paces, run } = await open()
      await run('Library', 10)
      await run('Library', 10, FAILED)
      await run('Library', 10, complete('out of paper', { isError: true }))
      await paces.close()
      expect(await paces.read('Library', { tenant })).toMatchObject({ runs: 3, failed: 2 })
    })

    test('is told to an owner over its own runs alone', async () => {
      const { paces, run } = await open()
      await run('Library', 10)
      await run('Library', 10, complete(), 'bob')
      await paces.close()
      const runsOf = async (whose: object) => (await paces.read('Library', { tenant, ...whose })).runs
      expect([await runsOf({}), await runsOf({ owner }), await runsOf({ owner: 'carol' })]).toEqual([2, 1, 0])
      expect((await paces.read('Library', { tenant: 'other' })).runs).toBe(0)
    })

    test('forgets a run after a day, and its counts some time later', async () => {
      const { paces, run, clock, link } = await open()
      await run('Library', 10)
      await paces.close()
      clock.advance(23 * HOUR_MS)
      expect((await paces.read('Library', { tenant })).runs).toBe(1)
      clock.advance(HOUR_MS)
      expect((await paces.read('Library', { tenant })).runs).toBe(0)
      const keys = await findKeys(link, link.keys.pace(0, '*', tenant, owner).replace(':0:', ':*:'))
      expect(keys).toHaveLength(1)
      expect(await link.commands.ttl(keys[0] ?? '')).toBeGreaterThan(86_400)
    })

    test('counted every run twice in the last hour of a day: it counts each once at every hour', async () => {
      const { paces, run, clock } = await open()
      await run('Library', 10)
      await paces.close()
      const told = []
      for (let hour = 0; hour < 24; hour++) {
        told.push((await paces.read('Library', { tenant })).runs)
        clock.advance(HOUR_MS)
      }
      expect(told).toEqual(Array.from({ length: 24 }, () => 1))
    })

    test('is written a second after the first run of many, all of them at once', async () => {
      const { paces, run, clock } = await open()
      await run('Library', 10)
      expect(clock.delaysMs).toEqual([1000])
      clock.advance(1000)
      let told = 0
      while (told === 0) told = (await paces.read('Library', { tenant })).runs
      expect(told).toBe(1)
    })

    test('lacks what could not be written, and that is said', async () => {
      const { prefix } = await openTestStore(place)
      const { link } = await openTestStore(place, { prefix })
      const failures: unknown[] = []
      const paces = openAgentPaces(link, new ManualClock(), (thrown) => failures.push(thrown))
      await link.close()
      paces.count({ agent: 'Library', trace: TRACE, ending: 'completed', ranMs: 10 })
      await paces.close()
      expect(failures).toMatchObject([{ code: 'HUB_UNAVAILABLE' }])
    })
  })
}
