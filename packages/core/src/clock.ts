/** The only clock that the rules know. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `action` once after `delayMs`; the returned function calls it off. */
  schedule(delayMs: number, action: () => void): () => void
}

/** Waits `delayMs` by `clock`, or less if `signal` aborts; says whether the whole time passed. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const onAbort = () => {
      callOff()
      resolve(false)
    }
    const callOff = clock.schedule(delayMs, () => {
      signal.removeEventListener('abort', onAbort)
      resolve(true)
    })
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
