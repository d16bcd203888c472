import type { ResetReason, TraceView } from '@synchub/protocol'
import type { EntryBatch, LogEntry, TraceFeeds, Watch, WatchRequest, WatchSink } from '../../src/index.js'
import { TRACE } from '../call/sample-call.js'

/** A watcher that keeps what it is given. */
export class Collector implements WatchSink {
  readonly entries: LogEntry[] = []
  readonly resets: { readonly reason: ResetReason; readonly snapshot: TraceView | null; readonly at: number }[] = []
  readonly failures: unknown[] = []
  endCount = 0
  /** Whether it takes more after what it was given. */
  hasRoom: () => boolean = () => true
  #watch: Watch | undefined
  readonly #waiting = new Set<() => void>()

  /** Starts to watch; from the start of the trace unless told otherwise. */
  static async join(feeds: TraceFeeds, request: Partial<Omit<WatchRequest, 'sink'>> = {}): Promise<Collector> {
    const collector = new Collector()
    await collector.watch(feeds, request)
    return collector
  }

  async watch(feeds: TraceFeeds, request: Partial<Omit<WatchRequest, 'sink'>> = {}): Promise<void> {
    const endingsBefore = this.endCount + this.failures.length
    this.#watch = await feeds.watch({ trace: TRACE, after: null, follow: false, ...request, sink: this })
    // Over before it was handed to us.
    if (this.endCount + this.failures.length > endingsBefore) this.close()
  }

  deliver(batch: EntryBatch): boolean {
    for (const entry of batch.entries) this.entries.push(entry)
    this.#look()
    return this.hasRoom()
  }

  reset(reason: ResetReason, snapshot: TraceView | null): void {
    this.resets.push({ reason, snapshot, at: this.entries.length })
    this.#look()
  }

  end(): void {
    this.endCount++
    this.close()
    this.#look()
  }

  fail(thrown: unknown): void {
    this.failures.push(thrown)
    this.close()
    this.#look()
  }

  resume(): void {
    this.#watch?.resume()
  }

  close(): void {
    this.#watch?.close()
    this.#watch = undefined
  }

  get seqs(): number[] {
    return this.entries.map(({ seq }) => seq)
  }

  get lastId(): string | null {
    return this.entries.at(-1)?.id ?? null
  }

  /** Settles once `isDone` holds; looked at whenever something arrives. */
  until(isDone: (collector: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isDone(this)) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }

  untilSeq(seq: number): Promise<void> {
    return this.until(({ entries }) => (entries.at(-1)?.seq ?? 0) >= seq)
  }

  untilEnd(): Promise<void> {
    return this.until(({ endCount }) => endCount > 0)
  }

  #look(): void {
    for (const look of this.#waiting) look()
  }
}
