import type { EventName, HubError } from '@synchub/protocol'
import { abortableIterator } from '../abort/abortable-iterator.js'
import { delay } from '../abort/delay.js'
import { linkAbort } from '../abort/linked-abort.js'
import { backoffDelayMs } from '../connection/backoff.js'
import { isTransient, retryHintMs, unreachable } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import type { TraceEventItem } from './event-item.js'
import { openTraceStream, readTraceStream, type TraceReset } from './trace-stream.js'

/** What a watch yields. */
export type WatchItem = TraceEventItem | TraceReset

/** Why and when a watch asks again; given to `onReconnect` before the pause. */
export interface Reconnect {
  readonly reason: HubError
  readonly delayMs: number
  /** Failures in a row: connections that brought nothing new. */
  readonly failures: number
  /** The place that the next connection goes on after; absent while nothing was seen. */
  readonly cursor?: string
}

/** Options of a watch. */
export interface WatchOptions {
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
  /** Ends the watch quietly. */
  readonly signal?: AbortSignal | undefined
  /** Told before each reconnect. */
  readonly onReconnect?: ((reconnect: Reconnect) => void) | undefined
  /** The longest time without a connection to the hub, in ms; then the last failure is thrown. Default: no end. */
  readonly outageTimeoutMs?: number | undefined
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
  const items = watchItems(connection, traceId, { ...options, signal: abort.signal })
  return abortableIterator(items, abort)
}

/** A connection that lasted this long was a good one, even if it was silent: the next pause is short again. */
const STEADY_CONNECTION_MS = 30_000

type RunningWatch = WatchOptions & { readonly signal: AbortSignal }

async function* watchItems(
  connection: HubConnection,
  traceId: string,
  options: RunningWatch,
): AsyncGenerator<WatchItem, undefined> {
  const { signal, outageTimeoutMs = Number.POSITIVE_INFINITY } = options
  const place: Place = { cursor: options.after, lastSeq: 0, retryMs: undefined, connected: false, moved: false }
  let failures = 0
  let lastContactMs = performance.now()
  for (;;) {
    const openedMs = performance.now()
    place.connected = false
    place.moved = false
    let reason: HubError
    try {
      const outcome = yield* readConnection(connection, traceId, place, options)
      if (outcome === 'ended') return
      reason = unreachable(connection.baseUrl, 'closed the stream before the trace had ended', undefined)
    } catch (thrown) {
      if (signal.aborted) return
      if (!isTransient(thrown)) throw thrown
      reason = thrown
    }
    const nowMs = performance.now()
    if (place.connected) lastContactMs = nowMs
    const wasGood = place.moved || (place.connected && nowMs - openedMs > STEADY_CONNECTION_MS)
    failures = wasGood ? 1 : failures + 1
    const delayMs = backoffDelayMs({ failures, hintMs: retryHintMs(reason) ?? place.retryMs })
    if (nowMs + delayMs - lastContactMs > outageTimeoutMs) throw reason
    const { cursor } = place
    options.onReconnect?.({ reason, delayMs, failures, ...(cursor === undefined ? {} : { cursor }) })
    await delay(delayMs, signal)
    if (signal.aborted) return
  }
}

/** How far a watch is; it outlives each connection. */
interface Place {
  /** Id of the last event given: kept also when a connection brings nothing new. */
  cursor: string | undefined
  /** Number of the last event given; what the hub sends again up to it is dropped. */
  lastSeq: number
  /** The pause that the hub last asked for, in ms. */
  retryMs: number | undefined
  /** Whether this connection was answered with a stream, and whether it brought something new. */
  connected: boolean
  moved: boolean
}

async function* readConnection(
  connection: HubConnection,
  traceId: string,
  place: Place,
  options: RunningWatch,
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
