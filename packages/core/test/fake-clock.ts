import type { Clock } from '../src/index.js'

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #nowMs = 1_000_000
  #planned: { readonly atMs: number; readonly action: () => void }[] = []

  now(): number {
    return this.#nowMs
  }

  schedule(delayMs: number, action: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, action }
    this.#planned.push(entry)
    return () => {
      this.#planned = this.#planned.filter((planned) => planned !== entry)
    }
  }

  /** Actions that are still to come. */
  get plannedCount(): number {
    return this.#planned.length
  }

  /** Moves on, and does what was planned until then in its order. */
  advance(durationMs: number): void {
    const endMs = this.#nowMs + durationMs
    for (;;) {
      const [next] = this.#planned.toSorted((left, right) => left.atMs - right.atMs)
      if (next === undefined || next.atMs > endMs) break
      this.#planned = this.#planned.filter((planned) => planned !== next)
      this.#nowMs = next.atMs
      next.action()
    }
    this.#nowMs = endMs
  }
}
