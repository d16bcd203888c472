import type { Clock } from '@synchub/core'

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, action) {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}
