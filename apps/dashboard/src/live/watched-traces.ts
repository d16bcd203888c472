import type { Client, JoinedReset, TraceEventItem } from '@synchub/client'
import { HubError } from '@synchub/protocol'
import { toFailure } from '../hub/failure.js'
import {
  deliverEvent,
  deliverSnapshot,
  flushWatchers,
  type TabPort,
  type WatchedTrace,
  type Watcher,
} from './trace-watchers.js'

/** Most traces that one connection joins. */
const MAX_JOINED = 50
/** Most often that tabs get events, in ms. */
const FLUSH_MS = 60

/** What the hub says of a trace that it no longer shows, or of a name that means several owners' traces now. */
const GONE: readonly string[] = ['NOT_FOUND', 'INVALID_PARAMS']

/** The traces that any tab watches, and who gets what of them. */
export class WatchedTraces {
  readonly #client: Client
  readonly #onWanted: () => void
  readonly #traces = new Map<string, WatchedTrace>()
  #flush: ReturnType<typeof setTimeout> | undefined

  /** @param onWanted - told when the stream is to carry one trace more */
  constructor(client: Client, onWanted: () => void) {
    this.#client = client
    this.#onWanted = onWanted
  }

  /** Watches a trace for a tab: first the snapshot, then every event after it. */
  async watch(port: TabPort, watch: number, traceId: string, owner?: string): Promise<void> {
    const trace = this.#traces.get(traceId) ?? { traceId, owner, watchers: new Set(), after: undefined }
    const watcher: Watcher = { port, watch, lastSeq: undefined, waiting: [] }
    // Added before the snapshot is asked for: what comes meanwhile waits, and nothing falls between.
    this.#traces.set(traceId, trace)
    trace.watchers.add(watcher)
    try {
      const snapshot = await this.#client.trace(traceId, { owner })
      if (!trace.watchers.has(watcher)) return
      deliverSnapshot(watcher, snapshot)
      if (trace.after !== undefined) return
      trace.after = snapshot.cursor
      this.#onWanted()
    } catch (thrown) {
      this.#drop(trace, watcher)
      port.postMessage({ kind: 'failed', watch, failure: toFailure(thrown) })
    }
  }

  /** Ends one watch of a tab, or all of them. The stream goes on bringing the trace until it is made anew: that costs less. */
  unwatch(port: TabPort, watch?: number): void {
    for (const trace of this.#traces.values()) {
      for (const watcher of trace.watchers) {
        if (watcher.port === port && (watch === undefined || watcher.watch === watch)) this.#drop(trace, watcher)
      }
    }
  }

  /** What the stream is to carry: the newest that were asked for. */
  joined(): readonly WatchedTrace[] {
    return [...this.#traces.values()].filter(({ after }) => after !== undefined).slice(-MAX_JOINED)
  }

  deliver(item: TraceEventItem | JoinedReset): void {
    const trace = this.#traces.get(item.kind === 'event' ? item.data.traceId : item.traceId)
    if (trace === undefined) return
    if (item.kind === 'event') {
      deliverEvent(trace, item)
      this.#flushSoon()
    } else if (item.snapshot !== null) {
      for (const watcher of trace.watchers) deliverSnapshot(watcher, item.snapshot)
    }
  }

  #flushSoon(): void {
    if (this.#flush !== undefined) return
    this.#flush = setTimeout(() => {
      this.#flush = undefined
      flushWatchers(this.#traces.values())
    }, FLUSH_MS)
  }

  /**
   * One trace that cannot be read any more fails the connection of all: it is found, its watchers are told, and the others go on.
   * @returns whether there was one
   */
  async dropGone(): Promise<boolean> {
    const gone = await Promise.all(this.joined().map((trace) => this.#dropIfGone(trace)))
    return gone.includes(true)
  }

  async #dropIfGone(trace: WatchedTrace): Promise<boolean> {
    try {
      await this.#client.trace(trace.traceId, { owner: trace.owner })
      return false
    } catch (thrown) {
      if (!(thrown instanceof HubError) || !GONE.includes(thrown.code)) return false
      for (const { port, watch } of trace.watchers) {
        port.postMessage({ kind: 'failed', watch, failure: toFailure(thrown) })
      }
      this.#traces.delete(trace.traceId)
      return true
    }
  }

  #drop(trace: WatchedTrace, watcher: Watcher): void {
    trace.watchers.delete(watcher)
    if (trace.watchers.size === 0 && this.#traces.get(trace.traceId) === trace) this.#traces.delete(trace.traceId)
  }
}
