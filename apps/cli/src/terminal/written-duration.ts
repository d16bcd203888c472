const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** A duration that has passed, as people read it: 320ms, 4.2s, 3m12s. */
export function describeDuration(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.max(0, Math.round(durationMs))}ms`
  if (durationMs < MINUTE_MS) return `${(Math.floor(durationMs / 100) / 10).toFixed(1)}s`
  return describeSeconds(durationMs)
}

/** A duration that goes on, in whole seconds, so that it stays calm: 0s, 4s, 3m12s. */
export function describeSeconds(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / SECOND_MS))
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`
}
