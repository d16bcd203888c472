import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createLeases, openRedisLink } from '@synchub/redis'
import { startLeasedLoop } from '../src/leased-loop.js'

/** Long enough for a busy machine to extend it in time, which is done three times over. */
const LEASE_MS = 300

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function openLeases() {
  const link = await openRedisLink({ url: process.env.SYNCHUB_TEST_REDIS_URL ?? '', prefix: `loop-${randomUUID()}` })
  closing.push(() => link.close())
  return createLeases(link)
}

describe('work that one dispatcher does at a time', () => {
  test('keeps its lease while a round takes longer than the lease lasts', async () => {
    const leases = await openLeases()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const held: boolean[] = []
    const failures: unknown[] = []
    let begun = () => {}
    const running = new Promise<void>((resolve) => {
      begun = resolve
    })
    const slow = startLeasedLoop({
      name: 'discovery',
      holder: 'slow',
      leases,
      everyMs: 10,
      leaseMs: LEASE_MS,
      onFailure: (thrown) => failures.push(thrown),
      async tick(isLost) {
        begun()
        await ended
        held.push(isLost.aborted)
      },
    })
    await running
    // A lease that is not extended runs out within this time, by the clock of Redis, and goes to the other one that asks.
    for (const startedAtMs = performance.now(); performance.now() - startedAtMs < 1.3 * LEASE_MS; await delay(20)) {
      expect(await leases.hold('discovery', 'another', 60_000)).toBe(false)
    }
    end()
    await slow.stop()
    expect([held, failures]).toEqual([[false], []])
    // Given up at once.
    expect(await leases.hold('discovery', 'another', 60_000)).toBe(true)
  })

  test('learns while it works that another has the lease', async () => {
    const leases = await openLeases()
    const failures: unknown[] = []
    let lost = () => {}
    const isLost = new Promise<void>((resolve) => {
      lost = resolve
    })
    const loop = startLeasedLoop({
      name: 'discovery',
      holder: 'paused',
      leases,
      everyMs: 10,
      leaseMs: 90,
      onFailure: (thrown) => failures.push(thrown),
      async tick(signal) {
        // As if it had been paused for longer than its lease, and another had taken that.
        await leases.drop('discovery', 'paused')
        await leases.hold('discovery', 'another', 60_000)
        if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        lost()
      },
    })
    await isLost
    await loop.stop()
    expect(failures).toEqual([])
    expect(await leases.hold('discovery', 'another', 60_000)).toBe(true)
  })
})
