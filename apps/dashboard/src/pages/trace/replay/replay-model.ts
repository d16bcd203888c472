import type { TraceEventItem } from '@synchub/client'
import { TraceModel } from '../model/trace-model.js'

/** A trace as it stood at any instant of its past. Going on costs the events between; going back begins anew. */
export class ReplayModel {
  #model = new TraceModel()
  #count = 0

  /** Number of events that had happened by the instant of the last {@link seek}. */
  get count(): number {
    return this.#count
  }

  /** The trace as it stood at an instant. */
  seek(events: readonly TraceEventItem[], atMs: number): TraceModel {
    if (atMs < this.#model.lastMs) {
      this.#model = new TraceModel()
      this.#count = 0
    }
    for (let next = events[this.#count]; next !== undefined; next = events[this.#count]) {
      if (Date.parse(next.data.at) > atMs) break
      this.#model.apply(next)
      this.#count++
    }
    return this.#model
  }
}
