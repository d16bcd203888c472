import pLimit from 'p-limit'
import { untilAborted } from '../pace/until-aborted.js'

/** Places for researches: each holds its sources' text in memory, so only so many work at a time and the others wait. */
export class ResearchPlaces {
  readonly #places: ReturnType<typeof pLimit>
  readonly #waitIntervalMs: number

  /** @param waitIntervalMs - how often one that waits is told so */
  constructor(count: number, waitIntervalMs = 10_000) {
    this.#places = pLimit(count)
    this.#waitIntervalMs = waitIntervalMs
  }

  /**
   * Runs a research once there is a place for it.
   * @param onWait - told when there is none, at once and at intervals
   * @throws the signal's reason at once when it is aborted, also while waiting
   */
  async run<T>(research: () => Promise<T>, signal: AbortSignal, onWait: () => void): Promise<T> {
    const { activeCount, pendingCount, concurrency } = this.#places
    const mustWait = activeCount + pendingCount >= concurrency
    if (mustWait) onWait()
    const waiting = mustWait ? setInterval(onWait, this.#waitIntervalMs) : undefined
    const work = this.#places(async () => {
      clearInterval(waiting)
      signal.throwIfAborted()
      return research()
    })
    try {
      return await untilAborted(work, signal)
    } finally {
      clearInterval(waiting)
    }
  }
}
