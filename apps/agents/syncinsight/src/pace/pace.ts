import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work goes on for this long before other things of the process get their turn: heartbeats, cancels, other researches. */
const SLICE_MS = 12

/** Keeps long work from holding the event loop, and is where a cancelled research stops. */
export class Pace {
  readonly signal: AbortSignal
  #sliceStartedAtMs = performance.now()

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  /**
   * To be called between two small steps of work; waits for a turn of the event loop when this one has lasted long enough.
   * @throws the signal's reason once it is aborted
   */
  async breathe(): Promise<void> {
    this.signal.throwIfAborted()
    if (performance.now() - this.#sliceStartedAtMs < SLICE_MS) return
    await nextTurn()
    this.#sliceStartedAtMs = performance.now()
    this.signal.throwIfAborted()
  }
}
