/** How fast a replay runs: so many times as fast as it was recorded, or without any pause. */
export type ReplaySpeed = number | 'max'

/** The time that a replay goes by; tests give their own, so that nothing is waited for. */
export interface ReplayClock {
  /** Milliseconds from any fixed instant. */
  now(): number
  /** Waits, or less where the signal aborts. Never rejects. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>
}

/** What a pace goes by. */
export interface ReplayPaceOptions {
  readonly speed: ReplaySpeed
  /** The longest pause between two events, in ms as played. */
  readonly maxGapMs: number
  readonly clock: ReplayClock
  readonly signal: AbortSignal
}

/** What a timer holds. */
const MAX_SLEEP_MS = 2 ** 31 - 1

/** Waits before each event as long as it took when it was recorded. */
export class ReplayPace {
  readonly #options: ReplayPaceOptions
  /** The latest instant of an event so far. */
  #recordedMs: number | undefined
  /** When, by our clock, the event before was due. */
  #dueMs = 0

  constructor(options: ReplayPaceOptions) {
    this.#options = options
  }

  /** Waits until the event that was recorded at this instant (ISO 8601) is due. */
  async reach(at: string): Promise<void> {
    const { speed, clock, signal } = this.#options
    if (speed === 'max') return
    const gapMs = this.#gapMs(Date.parse(at), speed)
    const nowMs = clock.now()
    // Counted from when the event before was due, so that fetching and showing make the whole no longer; but a consumer that
    // stayed away for a while gets no burst of all that was due meanwhile.
    this.#dueMs = Math.max(this.#dueMs + gapMs, nowMs)
    if (this.#dueMs > nowMs) await clock.sleep(this.#dueMs - nowMs, signal)
  }

  /** Never negative: an instant before that of an earlier event, or none at all, is due at once. */
  #gapMs(atMs: number, speed: number): number {
    const beforeMs = this.#recordedMs
    if (Number.isNaN(atMs)) return 0
    this.#recordedMs = Math.max(beforeMs ?? atMs, atMs)
    if (beforeMs === undefined) {
      this.#dueMs = this.#options.clock.now()
      return 0
    }
    return Math.min((this.#recordedMs - beforeMs) / speed, this.#options.maxGapMs, MAX_SLEEP_MS)
  }
}
