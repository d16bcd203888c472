import type { Clock, TraceRef } from '@synchub/core'
import { decodeLiveMessages, type LiveMessage, type LogEntry, type TraceHead } from '../trace/log-entry.js'
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
  /** The last watcher has left. */
  onEmpty(feed: TraceFeed): void
  onFailure(thrown: unknown): void
}

/** Entries of one range read, and most messages that are held meanwhile. */
const PAGE = 1000
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000

/**
 * The live path of one trace in this process. It knows the last event that it has passed on; since events are numbered without
 * a hole, any message that is not the next one shows that something was lost, and then the log is read from there. While it is
 * dirty (connection lost, message missing) live messages are held, never passed on: a message that overtook the range read
 * would hide the gap behind it.
 */
export class TraceFeed implements WatcherFeed {
  readonly trace: TraceRef
  readonly reader: TraceReader
  readonly #options: FeedOptions
  readonly #watchers = new Set<Watcher>()
  #head: LogPlace = { id: null, seq: 0 }
  #openCalls = 0
  #lastEventAtMs = 0
  /** The log was removed under its watchers, and nothing has begun it anew yet. */
  #isGone = false
  #dirty = true
  /** What came while the feed is dirty. */
  #held: LiveMessage[] = []
  /** Until it has taken up the end of the log, too: read from its start, a log without its beginning looks like another one. */
  #syncing = true
  /** Something may have been lost after the running sync began. */
  #outdated = false
  #failedSyncs = 0
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

  /** Takes up the end of the log; to be called once the channel is subscribed. @throws HubError HUB_UNAVAILABLE */
  async open(): Promise<void> {
    try {
      this.#setHead(await this.reader.head(this.trace))
    } finally {
      this.#syncing = false
    }
    if (this.#outdated || !this.#takeHeld()) this.markDirty()
    else this.#dirty = false
  }

  close(): void {
    this.#closed = true
    this.#stopSettling?.()
    this.#stopRetry?.()
    for (const watcher of this.#watchers) watcher.close()
  }

  headSeq(): number {
    return this.#head.seq
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher)
  }

  left(watcher: Watcher): void {
    this.#watchers.delete(watcher)
    if (this.#watchers.size === 0 && !this.#closed) this.#options.onEmpty(this)
  }

  joined(watcher: Watcher): void {
    if (!watcher.follow) this.#settle()
  }

  /** A message of the trace's channel; an empty one says that the log was removed. */
  receive(text: string): void {
    if (text === '') this.markDirty()
    else for (const message of decodeLiveMessages(text)) this.#receive(message)
  }

  #receive(message: LiveMessage): void {
    if (!this.#dirty && message.entry.seq === this.#head.seq + 1) {
      this.#takeMessage(message)
      return
    }
    // More than a page: the log has them all, and the last one shows how far it must be read.
    if (this.#held.length === PAGE) this.#held = []
    this.#held.push(message)
    if (!this.#dirty) this.markDirty()
  }

  /** The live path may have missed something: read the log before anything else is passed on. */
  markDirty(): void {
    this.#dirty = true
    if (this.#syncing) this.#outdated = true
    else void this.#sync()
  }

  /** The connection is gone: what is published now is lost until {@link markDirty} reads it. */
  interrupt(): void {
    this.#dirty = true
  }

  /** Looks whether the log has changed without a message reaching us. */
  async check(): Promise<void> {
    if (this.#closed) return
    if (this.#dirty) return this.markDirty()
    const before = this.#head.id
    const head = await this.reader.head(this.trace)
    const isBehind = (head?.id ?? null) !== before
    if (isBehind && !this.#dirty && this.#head.id === before) this.markDirty()
  }

  async #sync(): Promise<void> {
    if (this.#closed) return
    this.#syncing = true
    this.#stopRetry?.()
    try {
      do {
        this.#outdated = false
        if (!(await this.#readLog())) await this.#restart()
        if (this.#closed) return
        // In the turn of the last answer: what was published since is held here, or will arrive.
      } while (!this.#takeHeld() || this.#outdated)
      this.#dirty = false
      this.#failedSyncs = 0
      this.#settle()
    } catch (thrown) {
      if (this.#closed) return
      const delayMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failedSyncs++, LONGEST_RETRY_MS)
      this.#stopRetry = this.#options.clock.schedule(delayMs, () => this.markDirty())
      this.#options.onFailure(thrown)
    } finally {
      this.#syncing = false
    }
  }

  /** Reads the log to its end; false when it does not go on from where this feed stands. */
  async #readLog(): Promise<boolean> {
    for (;;) {
      const { id, seq } = this.#head
      const entries = await (id === null
        ? this.reader.readAfter(this.trace, null, PAGE)
        : this.reader.readOn(this.trace, id, PAGE))
      if (entries === null || (entries[0] !== undefined && entries[0].seq !== seq + 1)) return false
      this.#accept(entries)
      if (entries.length < PAGE) break
    }
    this.#openCalls = (await this.reader.head(this.trace))?.openCalls ?? 0
    return true
  }

  /** Passes on what was held while the log was read; false when something is missing in between. */
  #takeHeld(): boolean {
    for (const message of this.#held.splice(0)) {
      if (message.entry.seq <= this.#head.seq) continue
      if (message.entry.seq !== this.#head.seq + 1) return false
      this.#takeMessage(message)
    }
    return true
  }

  /** The log is another one than the one that was watched (lost, trimmed, begun anew): every watcher starts from a snapshot. */
  async #restart(): Promise<void> {
    const { id } = this.#head
    const judged = id === null ? null : await this.reader.judgeCursor(this.trace, id)
    const head = await this.reader.head(this.trace)
    // What its watchers have seen is not of the future, though a log that is gone does not know it any more.
    const reason = head === null ? 'trimmed' : (judged ?? 'replaced')
    this.#pending = []
    this.#setHead(head)
    this.#isGone = head === null
    // It may begin anew at once, as after a loss: its streams wait as long for that as for a further call.
    if (this.#isGone) this.#lastEventAtMs = this.#options.clock.now()
    for (const watcher of this.#watchers) watcher.restart(reason)
  }

  #setHead(head: TraceHead | null): void {
    this.#head = { id: head?.id ?? null, seq: head?.seq ?? 0 }
    this.#openCalls = head?.openCalls ?? 0
    this.#lastEventAtMs = head?.atMs ?? 0
  }

  #takeMessage({ entry, openCalls }: LiveMessage): void {
    this.#openCalls = openCalls
    this.#accept([entry])
  }

  #accept(entries: readonly LogEntry[]): void {
    const last = entries.at(-1)
    if (last === undefined || this.#closed) return
    this.#head = last
    this.#isGone = false
    this.#lastEventAtMs = this.#options.clock.now()
    this.#pending.push(...entries)
    if (this.#flushPlanned) return
    this.#flushPlanned = true
    // Few writes per watcher and turn of the event loop, however many events arrived in it.
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#flushPlanned = false
    const batches = EntryBatch.cut(this.#pending)
    this.#pending = []
    if (this.#closed || batches.length === 0) return
    for (const batch of batches) {
      for (const watcher of this.#watchers) watcher.take(batch)
    }
    this.#settle()
  }

  /** Ends the streams of a trace in which nothing is open, or that is gone, and a short while has passed. */
  #settle(): void {
    this.#stopSettling?.()
    this.#stopSettling = null
    if (this.#openCalls > 0 || (this.#head.seq === 0 && !this.#isGone) || this.#closed) return
    if (![...this.#watchers].some((watcher) => watcher.live && !watcher.follow)) return
    const { clock, lingerMs } = this.#options
    const leftMs = Math.max(0, this.#lastEventAtMs + lingerMs - clock.now())
    this.#stopSettling = clock.schedule(leftMs, () => this.#endIfQuiet())
  }

  /** The log itself has the last word on whether the trace is over. */
  #endIfQuiet(): void {
    this.#stopSettling = null
    this.reader.head(this.trace).then(
      (head) => {
        if (this.#closed || this.#stopSettling !== null) return
        // Whatever ends one of these states settles again.
        if (this.#dirty || this.#pending.length > 0) return
        if ((head?.id ?? null) !== this.#head.id) return this.markDirty()
        if (head !== null && head.openCalls > 0) return
        for (const watcher of this.#watchers) {
          if (!watcher.live || watcher.follow) continue
          watcher.close()
          watcher.sink.end()
        }
      },
      (thrown: unknown) => {
        this.#options.onFailure(thrown)
        if (!this.#closed) this.#stopSettling = this.#options.clock.schedule(FIRST_RETRY_MS, () => this.#settle())
      },
    )
  }
}

/** A place in a log. */
interface LogPlace {
  readonly id: string | null
  readonly seq: number
}
