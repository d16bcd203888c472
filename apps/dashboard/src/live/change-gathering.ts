import type { TraceChange } from '@synchub/client'

/** Most often that tabs are told of changes, in ms. */
const TICK_MS = 200

/** Gathers changes for a tick, and tells of each trace once: where it stands last. */
export class ChangeGathering {
  readonly #tell: (changes: readonly TraceChange[]) => void
  #waiting = new Map<string, TraceChange>()
  #tick: ReturnType<typeof setTimeout> | undefined

  constructor(tell: (changes: readonly TraceChange[]) => void) {
    this.#tell = tell
  }

  add(change: TraceChange): void {
    this.#waiting.set(`${change.owner}/${change.traceId}`, change)
    if (this.#tick !== undefined) return
    this.#tick = setTimeout(() => {
      this.#tick = undefined
      const changes = [...this.#waiting.values()]
      this.#waiting.clear()
      this.#tell(changes)
    }, TICK_MS)
  }
}
