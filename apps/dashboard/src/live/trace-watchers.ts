import type { TraceEventItem } from '@synchub/client'
import type { TraceView } from '@synchub/protocol'
import type { EngineMessage } from './live-message.js'

/** Where messages of one tab go. */
export interface TabPort {
  postMessage(message: EngineMessage): void
}

/** One tab's watch of one trace. */
export interface Watcher {
  readonly port: TabPort
  readonly watch: number
  /** Number of the last event that the tab has; undefined until it has a snapshot. */
  lastSeq: number | undefined
  /** What came before the snapshot did, or waits to be sent. */
  waiting: TraceEventItem[]
}

/** All that watch one trace. */
export interface WatchedTrace {
  readonly traceId: string
  readonly owner: string | undefined
  readonly watchers: Set<Watcher>
  /** Cursor to begin at; undefined until the first snapshot. */
  after: string | undefined
}

/** Gives an event to all that watch its trace; they get it with the next {@link flushWatchers}. */
export function deliverEvent(trace: WatchedTrace, event: TraceEventItem): void {
  for (const watcher of trace.watchers) {
    if (watcher.lastSeq === undefined || event.data.seq > watcher.lastSeq) watcher.waiting.push(event)
  }
}

/** Gives one watcher the trace as it stands; later events go on from there. */
export function deliverSnapshot(watcher: Watcher, trace: TraceView): void {
  watcher.lastSeq = trace.lastSeq
  watcher.waiting = watcher.waiting.filter(({ data }) => data.seq > trace.lastSeq)
  watcher.port.postMessage({ kind: 'snapshot', watch: watcher.watch, trace })
}

/** Sends what waits, in one message for each watcher. */
export function flushWatchers(traces: Iterable<WatchedTrace>): void {
  for (const { watchers } of traces) {
    for (const watcher of watchers) {
      const last = watcher.waiting.at(-1)
      if (watcher.lastSeq === undefined || last === undefined) continue
      watcher.port.postMessage({ kind: 'events', watch: watcher.watch, events: watcher.waiting })
      watcher.lastSeq = last.data.seq
      watcher.waiting = []
    }
  }
}
