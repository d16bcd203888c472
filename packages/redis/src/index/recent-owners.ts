import type { Clock, TraceRef } from '@synchub/core'

/** How long an owner counts as listed, in ms: after that its name is written again, in case Redis has lost it. */
const LISTED_MS = 1000
/** Owners that are remembered; with more of them all are forgotten, and written once more. */
const MAX_OWNERS = 10_000

/** Owners that this process has listed a moment ago: to say once more what Redis knows would cost each call a command. */
export class RecentOwners {
  readonly #clock: Clock
  readonly #listedAtMs = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether the owner's name is to be written. */
  isDue(trace: TraceRef): boolean {
    const atMs = this.#listedAtMs.get(nameOf(trace))
    // A clock that was set back must not keep the name from being written.
    return atMs === undefined || Math.abs(this.#clock.now() - atMs) >= LISTED_MS
  }

  /** The owner's name was written. */
  note(trace: TraceRef): void {
    if (this.#listedAtMs.size >= MAX_OWNERS) this.#listedAtMs.clear()
    this.#listedAtMs.set(nameOf(trace), this.#clock.now())
  }
}

function nameOf({ tenant, owner }: TraceRef): string {
  return `${tenant}/${owner}`
}
