import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@synchub/core'

interface Planned {
  readonly atMs: number
  readonly action: () => void
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #nowMs: number
  readonly #planned = new Set<Planned>()

  constructor(nowMs = 1_800_000_000_000) {
    this.#nowMs = nowMs
  }

  now(): number {
    return this.#nowMs
  }

  schedule(delayMs: number, action: () => void): () => void {
    const planned = { atMs: this.#nowMs + delayMs, action }
    this.#planned.add(planned)
    return () => this.#planned.delete(planned)
  }

  /** Delays until the planned actions. */
  get delaysMs(): number[] {
    return [...this.#planned].map(({ atMs }) => atMs - this.#nowMs)
  }

  /** Waits until something is planned; gives the delays. */
  async untilPlanned(): Promise<number[]> {
    while (this.#planned.size === 0) await nextTurn()
    return this.delaysMs
  }

  /** Moves on and runs what is due. */
  advance(byMs: number): void {
    this.#nowMs += byMs
    for (const planned of this.#planned) {
      if (planned.atMs > this.#nowMs) continue
      this.#planned.delete(planned)
      planned.action()
    }
  }

  /** Sets the time, backwards too, as a machine's clock may be stepped; runs nothing. */
  set(nowMs: number): void {
    this.#nowMs = nowMs
  }
}
