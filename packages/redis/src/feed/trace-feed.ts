import type { Clock, TraceRef } from '@synchub/core'
import { decodeLiveMessage, type LogEntry, type TraceHead } from '../trace/log-entry.js'
import type { TraceReader } from '../trace/trace-reader.js'
import { EntryBatch } from './entry-batch.js'
import type { Watcher, WatcherFeed } from './watcher.js'

/** What a feed works with. */
export interface FeedOptions {
  readonly trace: TraceRef
  readonly reader: TraceReader
  readonly clock: Clock
  /** How long a trace without open calls waits for a further one before its streams end, in ms. */
  readonly lingerMs: number
  onFailure(thrown: unknown): void
}

const PAGE = 1000
const RETRY_MS = 250

/**
 * The live path of one trace in this process. It knows the last event that it has passed on; since events are numbered without
 * a hole, any message that is not the next one shows that something was lost, and then the log is read from there. While it is
 * dirty (connection lost, message missing) live messages are only noted, never passed on: a message that overtook the range
 * read would hide the gap behind it.
 */
export class TraceFeed implements WatcherFeed {
  readonly trace: TraceRef
  readonly reader: TraceReader
  readonly #options: FeedOptions
  readonly #watchers = new Set<Watcher>()
  #head: LogPlace = { id: null, seq: 0 }
  #openCalls = 0
  #lastEventAtMs = 0
  #newestSeen = 0
  #dirty = true
  #syncing = false
  #closed = false
  #pending: LogEntry[] = []
  #flushPlanned = false
  #stopSettling: (() => void) | null = null
  #stopRetry: (() => void) | null = null

  constructor(options: FeedOptions) {
    this.trace = options.trace
    this.reader = options.reader
    this.#options = options
  }

  /** Takes up the end of the log; to be called once the channel is subscribed. */
  async open(): Promise<void> {
    this.#setHead(await this.reader.head(this.trace))
    this.#dirty = false
    if (this.#newestSeen > this.#head.seq) this.markDirty()
  }

  close(): void {
    this.#closed = true
    this.#stopSettling?.()
    this.#stopRetry?.()
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers.clear()
  }

  get watcherCount(): number {
    return this.#watchers.size
  }

  headSeq(): number {
    return this.#head.seq
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher)
  }

  remove(watcher: Watcher): void {
    watcher.close()
    this.#watchers.delete(watcher)
  }

  joined(watcher: Watcher): void {
    if (!watcher.follow) this.#settle()
  }

  /** A message of the trace's channel. */
  receive(message: string): void {
    const { entry, openCalls } = decodeLiveMessage(message)
    this.#newestSeen = Math.max(this.#newestSeen, entry.seq)
    if (this.#dirty) return
    if (entry.seq !== this.#head.seq + 1) {
      this.markDirty()
      return
    }
    this.#openCalls = openCalls
    this.#accept([entry])
  }

  /** The live path may have missed something: read the log before anything else is passed on. */
  markDirty(): void {
    this.#dirty = true
    void this.#sync()
  }

  /** The connection is gone: what is published now is lost until {@link markDirty} reads it. */
  interrupt(): void {
    this.#dirty = true
  }

  /** Looks whether the log has grown without a message reaching us. */
  async check(): Promise<void> {
    if (this.#dirty || this.#closed) return
    const before = this.#head.seq
    const head = await this.reader.head(this.trace)
    if (!this.#dirty && head !== null && head.seq !== before && this.#head.seq === before) this.markDirty()
  }

  async #sync(): Promise<void> {
    if (this.#syncing || this.#closed) return
    this.#syncing = true
    try {
      await this.#readMissed()
    } catch (thrown) {
      this.#options.onFailure(thrown)
      this.#stopRetry = this.#options.clock.schedule(RETRY_MS, () => this.markDirty())
    } finally {
      this.#syncing = false
    }
  }

  async #readMissed(): Promise<void> {
    for (;;) {
      const { id, seq } = this.#head
      if (id !== null && (await this.reader.judgeCursor(this.trace, id)) !== null) return this.#restart()
      const entries = await this.reader.readAfter(this.trace, id, PAGE)
      if (this.#closed) return
      if (entries[0] !== undefined && entries[0].seq !== seq + 1) return this.#restart()
      this.#accept(entries)
      if (entries.length === PAGE) continue
      const head = await this.reader.head(this.trace)
      if (head === null || head.seq <= this.#head.seq) {
        this.#openCalls = head?.openCalls ?? 0
        // No await since the last look: what was published meanwhile is either read, or will arrive after this turn.
        if (this.#newestSeen <= this.#head.seq || head === null) {
          this.#dirty = false
          return this.#settle()
        }
        this.#newestSeen = this.#head.seq
      }
    }
  }

  /** The log is another one than the one that was watched (lost, trimmed, begun anew): every watcher starts from a snapshot. */
  async #restart(): Promise<void> {
    const head = await this.reader.head(this.trace)
    const reason = this.#head.seq > (head?.seq ?? 0) ? 'future' : 'replaced'
    this.#pending = []
    this.#setHead(head)
    this.#newestSeen = this.#head.seq
    this.#dirty = false
    await Promise.all([...this.#watchers].map((watcher) => watcher.restart(reason)))
  }

  #setHead(head: TraceHead | null): void {
    this.#head = { id: head?.id ?? null, seq: head?.seq ?? 0 }
    this.#openCalls = head?.openCalls ?? 0
    this.#lastEventAtMs = head?.atMs ?? 0
  }

  #accept(entries: readonly LogEntry[]): void {
    const last = entries.at(-1)
    if (last === undefined) return
    this.#head = last
    this.#lastEventAtMs = this.#options.clock.now()
    this.#pending.push(...entries)
    if (this.#flushPlanned) return
    this.#flushPlanned = true
    // One write per watcher and turn of the event loop, however many events arrived in it.
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#flushPlanned = false
    const batch = new EntryBatch(this.#pending)
    this.#pending = []
    if (this.#closed || batch.last === undefined) return
    for (const watcher of this.#watchers) watcher.take(batch)
    this.#settle()
  }

  /** Ends the streams of a trace in which nothing is open and a short while has passed. */
  #settle(): void {
    this.#stopSettling?.()
    this.#stopSettling = null
    if (this.#openCalls > 0 || this.#head.seq === 0 || this.#closed) return
    if (![...this.#watchers].some((watcher) => watcher.live && !watcher.follow)) return
    const { clock, lingerMs } = this.#options
    const leftMs = Math.max(0, this.#lastEventAtMs + lingerMs - clock.now())
    this.#stopSettling = clock.schedule(leftMs, () => this.#endIfQuiet())
  }

  /** The log itself has the last word on whether the trace is over. */
  #endIfQuiet(): void {
    this.reader.head(this.trace).then(
      (head) => {
        if (this.#closed || this.#dirty || this.#pending.length > 0) return
        if (head !== null && head.seq !== this.#head.seq) return this.markDirty()
        if (head !== null && head.openCalls > 0) return
        for (const watcher of this.#watchers) {
          if (!watcher.live || watcher.follow) continue
          this.#watchers.delete(watcher)
          watcher.close()
          watcher.sink.end()
        }
      },
      (thrown: unknown) => {
        this.#options.onFailure(thrown)
        this.#settle()
      },
    )
  }
}

/** A place in a log. */
interface LogPlace {
  readonly id: string | null
  readonly seq: number
}
