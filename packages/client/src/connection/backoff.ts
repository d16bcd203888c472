/** The first pause before a request is sent again, in ms, where the hub asks for none. */
const BASE_DELAY_MS = 250
/** The longest pause, jitter left out, in ms; a hub that asks for more is asked again sooner. */
const MAX_DELAY_MS = 30_000

/** What {@link backoffDelayMs} goes by. */
export interface BackoffState {
  /** Failures in a row, from 1. */
  readonly failures: number
  /** The pause that the hub asked for (`retry:`, `Retry-After`), in ms. */
  readonly hintMs?: number | undefined
}

/**
 * The pause before the next try: doubled with each failure in a row, up to 30 s, and up to half as much again, so that all who
 * lost one hub do not return in one instant. Never shorter than what the hub asked for, within that bound.
 * @param random - a number from 0 to below 1
 */
export function backoffDelayMs({ failures, hintMs = 0 }: BackoffState, random: () => number = Math.random): number {
  // 2 ** 20 passes the bound from any base; more would only overflow.
  const doublings = Math.min(Math.max(failures - 1, 0), 20)
  const delayMs = Math.min(Math.max(BASE_DELAY_MS, hintMs) * 2 ** doublings, MAX_DELAY_MS)
  return Math.round(delayMs * (1 + random() / 2))
}
