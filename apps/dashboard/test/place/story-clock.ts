import type { Clock } from '@synchub/core'

/** A clock that tells the time that a story sets; timers run by the system's. */
export class StoryClock implements Clock {
  #nowMs = Date.now()

  now(): number {
    return this.#nowMs
  }

  set(nowMs: number): void {
    this.#nowMs = nowMs
  }

  schedule(delayMs: number, action: () => void): () => void {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  }
}
