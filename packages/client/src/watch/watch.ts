import type { EventName } from '@synchub/protocol'
import { abortableIterator } from '../abort/abortable-iterator.js'
import { linkAbort } from '../abort/linked-abort.js'
import type { HubConnection } from '../connection/hub-connection.js'
import type { TraceEventItem } from './event-item.js'
import { type ReconnectOptions, type StreamPlace, throughReconnects } from './reconnects.js'
import { openTraceStream, readTraceStream, type TraceReset } from './trace-stream.js'

/** What a watch yields. */
export type WatchItem = TraceEventItem | TraceReset

/** Options of a watch. */
export interface WatchOptions extends ReconnectOptions {
  /** Go on after the event with this id; the whole trace by default. */
  readonly after?: string | undefined
  /** Only the events of this call. */
  readonly callId?: string | undefined
  /** Only events of these names; all by default. */
  readonly events?: readonly EventName[] | undefined
  /** Never end, and wait for a trace that does not exist yet. Default false. */
  readonly follow?: boolean | undefined
  /** Whose trace, where several owners have one of this name. */
  readonly owner?: string | undefined
}

/**
 * Watches a trace: reconnects after its last event until the hub says that the trace has ended, and gives no event twice.
 * Reads only as fast as it is asked. `return()`, so also leaving a `for await`, closes the connection at once.
 */
export function watchTrace(
  connection: HubConnection,
  traceId: string,
  options: WatchOptions = {},
): AsyncIterableIterator<WatchItem> {
  const abort = linkAbort(options.signal)
  const running = { ...options, signal: abort.signal }
  const place: Place = { cursor: options.after, lastSeq: 0, retryMs: undefined, connected: false, moved: false }
  const read = () => readConnection(connection, traceId, place, running)
  return abortableIterator(throughReconnects(connection.baseUrl, place, read, running), abort)
}

interface Place extends StreamPlace {
  /** Number of the last event given; what the hub sends again up to it is dropped. */
  lastSeq: number
}

async function* readConnection(
  connection: HubConnection,
  traceId: string,
  place: Place,
  options: WatchOptions & { readonly signal: AbortSignal },
): AsyncGenerator<WatchItem, 'ended' | 'cut'> {
  const answer = await openTraceStream(connection, traceId, { ...options, after: place.cursor })
  if (answer === 'ended') return 'ended'
  place.connected = true
  for await (const item of readTraceStream(connection, answer)) {
    if (item.kind === 'end') return 'ended'
    if (item.kind === 'retry') {
      place.retryMs = item.delayMs
      continue
    }
    if (item.kind === 'event' && item.data.seq <= place.lastSeq) continue
    place.cursor = item.id
    place.moved = true
    if (item.kind === 'unfamiliar') continue
    // Numbers of another log may begin anew: only the snapshot tells what they go on from.
    place.lastSeq = item.kind === 'reset' ? (item.snapshot?.lastSeq ?? 0) : item.data.seq
    yield item
  }
  return 'cut'
}
