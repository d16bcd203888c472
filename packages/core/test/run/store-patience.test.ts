import { describe, expect, test } from '@jest/globals'
import { HubError } from '@synchub/protocol'
import { withStorePatience } from '../../src/run/store-patience.js'
import { FakeClock } from '../fake-clock.js'

const away = () => new HubError('HUB_UNAVAILABLE', 'the store is away')

/** Lets the code that waits for a promise run until it waits for the clock again. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('withStorePatience', () => {
  test('gives what the write gives, and asks once', async () => {
    let tries = 0
    expect(await withStorePatience(new FakeClock(), () => Promise.resolve(++tries))).toBe(1)
  })

  test('asks again while the store is away: after 0.1 s first, after 5 s at most', async () => {
    const clock = new FakeClock()
    const startedAtMs = clock.now()
    const askedAtMs: number[] = []
    const outcome = withStorePatience(clock, () => {
      askedAtMs.push(clock.now() - startedAtMs)
      return askedAtMs.length < 9 ? Promise.reject(away()) : Promise.resolve('written')
    })
    while (askedAtMs.length < 9) {
      await settle()
      clock.advance(100)
    }
    expect(await outcome).toBe('written')
    expect(askedAtMs).toEqual([0, 100, 300, 700, 1500, 3100, 6300, 11_300, 16_300])
    expect(clock.plannedCount).toBe(0)
  })

  test('gives up after twenty tries, with the last failure', async () => {
    const clock = new FakeClock()
    const startedAtMs = clock.now()
    let tries = 0
    const failures: HubError[] = []
    let lastTryAtMs = 0
    const outcome = withStorePatience(clock, () => {
      tries++
      lastTryAtMs = clock.now() - startedAtMs
      failures.push(away())
      return Promise.reject(failures.at(-1))
    })
    const settled = Promise.allSettled([outcome])
    while (tries < 20) {
      await settle()
      clock.advance(100)
    }
    expect(await settled).toEqual([{ status: 'rejected', reason: failures.at(-1) }])
    expect([tries, clock.plannedCount]).toEqual([20, 0])
    expect(lastTryAtMs).toBeGreaterThan(60_000)
  })

  test('passes on every other failure at once', async () => {
    for (const failure of [new HubError('INTERNAL_ERROR', 'bug'), new TypeError('bug')]) {
      let tries = 0
      const outcome = withStorePatience(new FakeClock(), () => {
        tries++
        return Promise.reject(failure)
      })
      await expect(outcome).rejects.toBe(failure)
      expect(tries).toBe(1)
    }
  })
})
