import pLimit from 'p-limit'
import { untilAborted } from '../pace/until-aborted.js'

/** Places for researches: each holds its sources' text in memory, so only so many work at a time and the others wait. */
export class ResearchPlaces {
  readonly #places: ReturnType<typeof pLimit>

  constructor(count: number) {
    this.#places = pLimit(count)
  }

  /** Whether a further research would have to wait. */
  get isFull(): boolean {
    return this.#places.activeCount >= this.#places.concurrency
  }

  /**
   * Runs a research once there is a place for it.
   * @throws the signal's reason at once when it is aborted, also while waiting
   */
  async run<T>(research: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const work = this.#places(async () => {
      signal.throwIfAborted()
      return research()
    })
    return untilAborted(work, signal)
  }
}
