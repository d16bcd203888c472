import type { Client } from '@synchub/client'
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
const MAX_TRACES = 50
/** Changes of what is watched come in bursts, as a list is scrolled. */
const SETTLE_MS = 120
/** Most often that tabs get events, in ms. */
const FLUSH_MS = 60
/** Pause after a failure that another try may mend, in ms. */
const PAUSE_MS = 3000

/** The one stream of events that all tabs share: of the traces that any of them watches. */
export class EventFeed {
  readonly #client: Client
  readonly #traces = new Map<string, WatchedTrace>()
  #cursor: string | undefined
  #abort: AbortController | undefined
  #settle: ReturnType<typeof setTimeout> | undefined
  #flush: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client) {
    this.#client = client
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
      this.#reconnectSoon()
    } catch (thrown) {
      this.#drop(trace, watcher)
      port.postMessage({ kind: 'failed', watch, failure: toFailure(thrown) })
    }
  }

  unwatch(port: TabPort, watch?: number): void {
    for (const trace of this.#traces.values()) {
      for (const watcher of trace.watchers) {
        if (watcher.port === port && (watch === undefined || watcher.watch === watch)) this.#drop(trace, watcher)
      }
    }
  }

  /** Connects anew: the connection may be dead, or somebody else's. */
  restart(): void {
    if (this.#traces.size > 0) this.#reconnectSoon()
  }

  #flushSoon(): void {
    if (this.#flush !== undefined) return
    this.#flush = setTimeout(() => {
      this.#flush = undefined
      flushWatchers(this.#traces.values())
    }, FLUSH_MS)
  }

  #drop(trace: WatchedTrace, watcher: Watcher): void {
    trace.watchers.delete(watcher)
    if (trace.watchers.size > 0) return
    this.#traces.delete(trace.traceId)
    if (trace.after !== undefined) this.#reconnectSoon()
  }

  #reconnectSoon(): void {
    clearTimeout(this.#settle)
    this.#settle = setTimeout(() => {
      this.#abort?.abort()
      const abort = new AbortController()
      this.#abort = abort
      void this.#listen(abort.signal)
    }, SETTLE_MS)
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const joined = [...this.#traces.values()].filter(({ after }) => after !== undefined).slice(-MAX_TRACES)
    if (joined.length === 0) return
    try {
      for await (const item of this.#client.watchJoined(joined, { after: this.#cursor, signal })) {
        if (item.kind === 'open') continue
        this.#cursor = item.id ?? this.#cursor
        if (item.kind === 'event') {
          const trace = this.#traces.get(item.data.traceId)
          if (trace !== undefined) deliverEvent(trace, item)
          this.#flushSoon()
        } else if (item.snapshot !== null) {
          const { snapshot } = item
          for (const watcher of this.#traces.get(item.traceId)?.watchers ?? []) deliverSnapshot(watcher, snapshot)
        }
      }
    } catch (thrown) {
      if (!signal.aborted) await this.#recover(thrown, joined)
    }
  }

  /** One trace that is gone fails the connection of all: it is found and left out. */
  async #recover(thrown: unknown, joined: readonly WatchedTrace[]): Promise<void> {
    if (thrown instanceof HubError && thrown.code === 'UNAUTHENTICATED') return
    await Promise.all(joined.map((trace) => this.#dropIfGone(trace)))
    setTimeout(() => this.#reconnectSoon(), PAUSE_MS)
  }

  async #dropIfGone(trace: WatchedTrace): Promise<void> {
    try {
      await this.#client.trace(trace.traceId, { owner: trace.owner })
    } catch (thrown) {
      if (!(thrown instanceof HubError) || thrown.code !== 'NOT_FOUND') return
      for (const { port, watch } of trace.watchers) {
        port.postMessage({ kind: 'failed', watch, failure: toFailure(thrown) })
      }
      this.#traces.delete(trace.traceId)
    }
  }
}
