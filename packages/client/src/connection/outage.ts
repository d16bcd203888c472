import { delay } from '../abort/delay.js'
import { backoffDelayMs } from './backoff.js'
import { isTransient, retryHintMs } from './failure.js'

/** Bounds of {@link throughOutage}. */
export interface OutageBounds {
  /** The longest time without an answer of the hub, in ms; then the last failure is thrown. */
  readonly outageTimeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Asks until an answer comes: a hub that is away, or says "later", is asked again with growing pauses. Only for requests that
 * may be sent twice: reads, and calls that carry their idempotency key.
 * @throws whatever `ask` throws that is no outage; the last failure once the outage is too long; the signal's reason
 */
export async function throughOutage<Answer>(ask: () => Promise<Answer>, bounds: OutageBounds): Promise<Answer> {
  const { outageTimeoutMs, signal } = bounds
  const beganAtMs = performance.now()
  for (let failures = 1; ; failures++) {
    try {
      return await ask()
    } catch (thrown) {
      signal.throwIfAborted()
      if (!isTransient(thrown)) throw thrown
      const delayMs = backoffDelayMs({ failures, hintMs: retryHintMs(thrown) })
      if (performance.now() + delayMs - beganAtMs > outageTimeoutMs) throw thrown
      await delay(delayMs, signal)
      signal.throwIfAborted()
    }
  }
}
