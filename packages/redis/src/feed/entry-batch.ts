import type { LogEntry } from '../trace/log-entry.js'

/** Most characters of event data in one batch, but for a single event that is larger: what a watcher takes before it is asked again. */
const MAX_BATCH_CHARS = 256 * 1024

/**
 * Entries of one log that follow each other without a hole. One batch goes to every watcher of a trace, so what is made of it
 * (the bytes on the wire) is made once and shared.
 */
export class EntryBatch {
  readonly entries: readonly LogEntry[]
  readonly #made = new Map<string, unknown>()

  constructor(entries: readonly LogEntry[]) {
    this.entries = entries
  }

  /** Cuts entries that follow each other into batches of bounded size (invariant 10). */
  static cut(entries: readonly LogEntry[]): EntryBatch[] {
    const batches: EntryBatch[] = []
    let from = 0
    let chars = 0
    entries.forEach(({ data }, at) => {
      if (at > from && chars + data.length > MAX_BATCH_CHARS) {
        batches.push(new EntryBatch(entries.slice(from, at)))
        from = at
        chars = 0
      }
      chars += data.length
    })
    if (from < entries.length) batches.push(new EntryBatch(entries.slice(from)))
    return batches
  }

  /** Number of the first entry; 0 for an empty batch. */
  get firstSeq(): number {
    return this.entries[0]?.seq ?? 0
  }

  get last(): LogEntry | undefined {
    return this.entries.at(-1)
  }

  /** The entries after `seq`: this very batch where that is all of them. */
  after(seq: number): EntryBatch {
    return seq < this.firstSeq ? this : new EntryBatch(this.entries.slice(seq - this.firstSeq + 1))
  }

  /** What `make` makes of this batch, made once for all who ask by the same name. */
  made<T>(name: string, make: (entries: readonly LogEntry[]) => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make(this.entries))
    return this.#made.get(name) as T
  }
}
