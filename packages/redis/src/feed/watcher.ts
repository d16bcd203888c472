import type { TraceRef } from '@synchub/core'
import type { ResetReason, TraceView } from '@synchub/protocol'
import type { TraceReader } from '../trace/trace-reader.js'
import { EntryBatch } from './entry-batch.js'

/** Where a watcher's events go: a socket, or a waiting caller. */
export interface WatchSink {
  /** Takes events in order. False: no more for now, until the watcher is told to resume. */
  deliver(batch: EntryBatch): boolean
  /** The watcher's place is gone; it goes on after the snapshot's cursor. */
  reset(reason: ResetReason, snapshot: TraceView | null): void
  /** Nothing more will come. */
  end(): void
  /** The log could not be read; the watcher is closed and may come back with its cursor. */
  fail(thrown: unknown): void
}

/** What a watcher needs of the feed that it stands in. */
export interface WatcherFeed {
  readonly trace: TraceRef
  readonly reader: TraceReader
  /** Number of the last event that the live path has passed on. */
  headSeq(): number
  /** The watcher takes live events from here on. */
  joined(watcher: Watcher): void
  /** The watcher is closed. */
  left(watcher: Watcher): void
}

/** One open watch. */
export interface Watch {
  /** The sink takes events again. */
  resume(): void
  close(): void
}

/** Entries of one range read. */
const PAGE = 500

/**
 * One reader of a trace: it reads the log after its own cursor until it stands at the feed's head, and then takes the live
 * events. Both are checked in one turn of the event loop, so nothing can fall between (design section 6). A reader that
 * cannot keep up leaves the live path the same way, and comes back by its cursor.
 */
export class Watcher implements Watch {
  readonly sink: WatchSink
  /** Whether the stream outlives the end of the trace. */
  readonly follow: boolean
  readonly #feed: WatcherFeed
  #id: string | null
  #seq: number
  #judged: boolean
  /** Why the place is gone; reading on waits for the snapshot that is the next one. */
  #gone: ResetReason | null = null
  #live = false
  #full = false
  #closed = false
  #pumping = false

  constructor(feed: WatcherFeed, sink: WatchSink, after: { id: string | null; seq: number }, follow: boolean) {
    this.#feed = feed
    this.sink = sink
    this.#id = after.id
    this.#seq = after.seq
    this.#judged = after.id === null
    this.follow = follow
  }

  get live(): boolean {
    return this.#live && !this.#closed
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#feed.left(this)
  }

  /** Takes live events; what it has already read from the log is left out. */
  take(batch: EntryBatch): void {
    if (!this.live) return
    try {
      const rest = batch.after(this.#seq)
      if (rest.entries.length > 0) this.#pass(rest)
    } catch (thrown) {
      // A sink that breaks must not take the feed's other watchers with it.
      this.#fail(thrown)
    }
  }

  /** The sink takes events again. */
  resume(): void {
    this.#full = false
    void this.catchUp()
  }

  /** The log was lost or begun anew: this watcher's place in it is gone. */
  restart(reason: ResetReason): void {
    this.#live = false
    this.#gone = reason
    void this.catchUp()
  }

  /** Reads the log until the live path is reached, the sink is full or the watcher is closed. Never rejects. */
  async catchUp(): Promise<void> {
    if (this.#pumping || this.#live) return
    this.#pumping = true
    try {
      while (!this.#closed) {
        if (this.#gone !== null) await this.#reset(this.#gone)
        else if (this.#full) return
        else if (!this.#judged) await this.#judge(this.#id)
        else if (this.#seq < this.#feed.headSeq()) await this.#readPage()
        else {
          this.#live = true
          this.#feed.joined(this)
          return
        }
      }
    } catch (thrown) {
      this.#fail(thrown)
    } finally {
      this.#pumping = false
    }
  }

  async #judge(id: string | null): Promise<void> {
    const reason = id === null ? null : await this.#feed.reader.judgeCursor(this.#feed.trace, id)
    this.#judged = true
    this.#gone ??= reason
  }

  async #reset(reason: ResetReason): Promise<void> {
    this.#gone = null
    const snapshot = await this.#feed.reader.snapshot(this.#feed.trace)
    // Gone once more while the snapshot was read: the next one counts.
    if (this.#closed || this.#gone !== null) return
    this.#judged = true
    this.#id = snapshot?.cursor ?? null
    // Without a trace there is nothing to read until the feed has seen that too, and starts every watcher anew.
    this.#seq = snapshot?.lastSeq ?? this.#feed.headSeq()
    this.sink.reset(reason, snapshot)
  }

  async #readPage(): Promise<void> {
    const { reader, trace } = this.#feed
    const from = this.#id
    const entries = from === null ? await reader.readAfter(trace, null, PAGE) : await reader.readOn(trace, from, PAGE)
    // Gone meanwhile: what was read belongs to the place before.
    if (this.#closed || this.#gone !== null) return
    if (entries === null || entries[0]?.seq !== this.#seq + 1) {
      const reason = from === null ? null : await reader.judgeCursor(trace, from)
      this.#gone ??= reason ?? 'trimmed'
      return
    }
    for (const batch of EntryBatch.cut(entries)) {
      if (this.#full || this.#closed) return
      this.#pass(batch)
    }
  }

  #pass(batch: EntryBatch): void {
    const { last } = batch
    if (last === undefined) return
    this.#id = last.id
    this.#seq = last.seq
    if (this.sink.deliver(batch)) return
    this.#full = true
    this.#live = false
  }

  #fail(thrown: unknown): void {
    if (this.#closed) return
    this.close()
    this.sink.fail(thrown)
  }
}
