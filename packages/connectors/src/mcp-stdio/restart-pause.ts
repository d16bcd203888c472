/** How a process that ends again and again is held back. */
export interface RestartPauseOptions {
  /** Pause after the first early end; doubles with each further one, in milliseconds. */
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** A process that has lived so long has not ended early, in milliseconds. */
  readonly stableAfterMs: number
}

/** Keeps a process that fails from being started in a circle. */
export class RestartPause {
  readonly #options: RestartPauseOptions
  #earlyEnds = 0
  #heldUntil = Number.NEGATIVE_INFINITY

  constructor(options: RestartPauseOptions) {
    this.#options = options
  }

  /** Whether the process may not be started yet. */
  isOn(nowMs: number): boolean {
    return nowMs < this.#heldUntil
  }

  /** The process ended by itself after `livedMs`; 0 when it could not be started. */
  noteEnd(nowMs: number, livedMs: number): void {
    const { firstPauseMs, longestPauseMs, stableAfterMs } = this.#options
    this.#earlyEnds = livedMs >= stableAfterMs ? 1 : this.#earlyEnds + 1
    this.#heldUntil = nowMs + Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#earlyEnds - 1))
  }
}
