import type { StopSignal } from './stop-switch.js'

/** The only clock that the rules know. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `action` once after `delayMs`; the returned function calls it off. */
  schedule(delayMs: number, action: () => void): () => void
}

/** Waits `delayMs` by `clock`, or less if one of `signals` aborts; says whether the whole time passed. */
export function pause(clock: Clock, delayMs: number, ...signals: readonly StopSignal[]): Promise<boolean> {
  if (signals.some(({ aborted }) => aborted)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (passed: boolean) => {
      callOff()
      for (const signal of signals) signal.removeEventListener('abort', onAbort)
      resolve(passed)
    }
    const onAbort = () => end(false)
    const callOff = clock.schedule(delayMs, () => end(true))
    for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true })
  })
}
