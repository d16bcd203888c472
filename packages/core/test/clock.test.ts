import { describe, expect, test } from '@jest/globals'
import { pause } from '../src/index.js'
import { FakeClock } from './fake-clock.js'

/** Whether a promise has settled by now, and with what. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, Promise.resolve('waiting')])
}

describe('pause', () => {
  test('waits its whole time by the clock, and says so', async () => {
    const clock = new FakeClock()
    const paused = pause(clock, 1000, new AbortController().signal)
    clock.advance(999)
    expect(await stateOf(paused)).toBe('waiting')
    clock.advance(1)
    expect(await paused).toBe(true)
  })

  test('ends at once when the signal aborts, says so and plans nothing any more', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const paused = pause(clock, 1000, controller.signal)
    controller.abort()
    expect(await paused).toBe(false)
    expect(clock.plannedCount).toBe(0)
  })

  test('does not begin under a signal that was aborted before', async () => {
    const clock = new FakeClock()
    expect(await pause(clock, 1000, AbortSignal.abort())).toBe(false)
    expect(clock.plannedCount).toBe(0)
  })

  test('leaves no listener on a signal that lives on', async () => {
    const clock = new FakeClock()
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, args)
    }
    const paused = pause(clock, 5, signal)
    expect(listeners).toBe(1)
    clock.advance(5)
    await paused
    expect(listeners).toBe(0)
  })
})
