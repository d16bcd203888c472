import type { ToolPolicy } from '../config/hub-config.js'

/** Timers hold less than 25 days and fire at once beyond that: a pause without a bound would end in attempts without any. */
const LONGEST_DELAY_MS = 24 * 3_600_000

/** Pause after this attempt, in milliseconds: twice as long after each further one, up to a day. */
export function retryDelayMs(policy: ToolPolicy, attempt: number): number {
  return Math.min(policy.retryDelayMs * 2 ** (attempt - 1), LONGEST_DELAY_MS)
}
