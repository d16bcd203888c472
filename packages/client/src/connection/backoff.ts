/** The first pause before a request is sent again, in ms, where the hub asks for none. */
const BASE_DELAY_MS = 250
/**
 * The longest pause of our own making, in ms, jitter left out. Who waits must be there while the hub is: one that dies again and again
 * may be up for seconds only. A hub that wants to be left alone for longer says so.
 */
const MAX_DELAY_MS = 4000
/** The longest pause that a hub can ask for, in ms, jitter left out. */
const MAX_HINT_MS = 60_000

/** What {@link backoffDelayMs} goes by. */
export interface BackoffState {
  /** Failures in a row, from 1. */
  readonly failures: number
  /** The pause that the hub asked for (`retry:`, `Retry-After`), in ms. */
  readonly hintMs?: number | undefined
}

/**
 * The pause before the next try: doubled with each failure in a row, up to 4 s, never shorter than what the hub asked for (up
 * to a minute), and up to half as much again, so that all who lost one hub do not return in one instant.
 * @param random - a number from 0 to below 1
 */
export function backoffDelayMs({ failures, hintMs = 0 }: BackoffState, random: () => number = Math.random): number {
  // More doublings would pass the bound anyway, and overflow in the end.
  const doublings = Math.min(Math.max(failures - 1, 0), 10)
  const ownMs = Math.min(BASE_DELAY_MS * 2 ** doublings, MAX_DELAY_MS)
  return Math.round(Math.max(ownMs, Math.min(hintMs, MAX_HINT_MS)) * (1 + random() / 2))
}
