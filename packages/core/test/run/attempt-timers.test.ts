import { describe, expect, test } from '@jest/globals'
import { startAttemptTimers } from '../../src/run/attempt-timers.js'
import { FakeClock } from '../fake-clock.js'
import { policyWith } from './policy.js'

function start(silenceTimeoutMs = 1000) {
  const clock = new FakeClock()
  return { clock, timers: startAttemptTimers(clock, policyWith({ silenceTimeoutMs, maxDurationMs: 3000 })) }
}

describe('startAttemptTimers', () => {
  test('ends an attempt at the silence limit, not a millisecond before', () => {
    const { clock, timers } = start()
    clock.advance(999)
    expect([timers.expiry.aborted, timers.expired()]).toEqual([false, undefined])
    clock.advance(1)
    expect([timers.expiry.aborted, timers.expired()]).toEqual([true, 'silence'])
  })

  test('begins the silence anew with each sign of life, but never the whole attempt', () => {
    const { clock, timers } = start()
    for (let round = 0; round < 4; round++) {
      clock.advance(600)
      timers.touch()
    }
    expect(timers.expiry.aborted).toBe(false)
    clock.advance(599)
    expect(timers.expiry.aborted).toBe(false)
    clock.advance(1)
    expect([timers.expiry.aborted, timers.expired()]).toEqual([true, 'duration'])
  })

  test('names the limit that ran out first, and only that', () => {
    const { clock, timers } = start(2000)
    clock.advance(1500)
    timers.touch()
    clock.advance(10_000)
    expect(timers.expired()).toBe('duration')
  })

  test('plans nothing any more once stopped, a late sign of life included', () => {
    const { clock, timers } = start()
    timers.stop()
    timers.touch()
    expect(clock.plannedCount).toBe(0)
    clock.advance(10_000)
    expect([timers.expiry.aborted, timers.expired()]).toEqual([false, undefined])
  })
})
