import { isJsonObject, type TraceView } from '@synchub/protocol'
import { abortableIterator } from '../abort/abortable-iterator.js'
import { linkAbort } from '../abort/linked-abort.js'
import { notOurHub, parseJson } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { encodeQuery } from '../connection/path.js'
import { type ChangeLoss, readNotice, type TraceChange } from './changes.js'
import { decodeEventItem, type TraceEventItem } from './event-item.js'
import { openHubStream } from './hub-stream.js'
import { type ReconnectOptions, type StreamPlace, throughReconnects } from './reconnects.js'
import { readAnswerSse } from './trace-stream.js'

/** One of the traces of a joined watch. */
export interface JoinedTrace {
  readonly traceId: string
  /** Whose trace, where several owners have one of this name. */
  readonly owner?: string | undefined
  /** Begin after the event with this id, the `cursor` of a snapshot, where the cursor of the watch does not know the trace. */
  readonly after?: string | undefined
}

/** One of the traces could not be read on: this is how it stood, and its events go on after that. */
export interface JoinedReset {
  readonly kind: 'reset'
  readonly id: string | undefined
  readonly traceId: string
  /** Null where the trace is gone altogether. */
  readonly snapshot: TraceView | null
}

/** What a joined watch yields. Ids are cursors of the whole watch. Changes and losses of them come only where they were asked for. */
export type JoinedItem = { readonly kind: 'open' } | TraceEventItem | JoinedReset | TraceChange | ChangeLoss

/** Options of a joined watch. */
export interface JoinedWatchOptions extends ReconnectOptions {
  /** Go on after the item with this id, also of a watch of other traces. */
  readonly after?: string | undefined
  /** Also tells which traces change, as `changes` does, over the same connection; false by default. */
  readonly changes?: boolean | undefined
}

/**
 * Watches up to 50 traces over one connection (`GET /events?traces=`): the events of each once and in order, through reconnects.
 * Waits for traces that do not exist yet, and never ends by itself.
 */
export function watchJoined(
  connection: HubConnection,
  traces: readonly JoinedTrace[],
  options: JoinedWatchOptions = {},
): AsyncIterableIterator<JoinedItem> {
  const abort = linkAbort(options.signal)
  const { signal } = abort
  const place: Place = {
    cursor: options.after,
    lastSeqs: new Map(),
    retryMs: undefined,
    connected: false,
    moved: false,
  }
  const { changes = false } = options
  const read = () => readConnection(connection, traces, place, { changes, signal })
  return abortableIterator(throughReconnects(connection.baseUrl, place, read, { ...options, signal }), abort)
}

interface Place extends StreamPlace {
  /** Number of the last event given, of each trace. */
  readonly lastSeqs: Map<string, number>
}

async function* readConnection(
  connection: HubConnection,
  traces: readonly JoinedTrace[],
  place: Place,
  { changes, signal }: { readonly changes: boolean; readonly signal: AbortSignal },
): AsyncGenerator<JoinedItem, 'ended' | 'cut'> {
  const names = traces.map(nameOf).join(',')
  const wish = changes ? { changes: '1' } : { follow: '1' }
  const query = encodeQuery({ traces: names, ...wish, after: place.cursor })
  const answer = await openHubStream(connection, `/events${query}`, signal)
  if (answer === 'ended') return 'ended'
  place.connected = true
  yield { kind: 'open' }
  for await (const item of readAnswerSse(connection, answer)) {
    if (item.kind === 'retry') place.retryMs = item.delayMs
    if (item.kind !== 'event') continue
    const data = parseJson(item.data)
    const notice = readNotice(item.event, data)
    if (notice !== undefined) {
      place.moved = true
      yield notice
      continue
    }
    const decoded = decode(connection.baseUrl, { ...item, data })
    if (decoded.kind === 'event' && decoded.data.seq <= (place.lastSeqs.get(decoded.data.traceId) ?? 0)) continue
    place.cursor = decoded.id ?? place.cursor
    place.moved = true
    if (decoded.kind === 'unfamiliar') continue
    if (decoded.kind === 'event') place.lastSeqs.set(decoded.data.traceId, decoded.data.seq)
    else place.lastSeqs.set(decoded.traceId, decoded.snapshot?.lastSeq ?? 0)
    yield decoded
  }
  return 'cut'
}

function nameOf({ traceId, owner, after }: JoinedTrace): string {
  return `${owner === undefined ? '' : `${owner}/`}${traceId}${after === undefined ? '' : `@${after}`}`
}

function decode(baseUrl: string, item: { readonly id?: string; readonly event: string; readonly data: unknown }) {
  const { data } = item
  if (item.event === 'reset' && isJsonObject(data) && typeof data.traceId === 'string') {
    const snapshot = isTraceView(data.snapshot) ? data.snapshot : null
    return { kind: 'reset', id: item.id, traceId: data.traceId, snapshot } as const
  }
  if (item.id === undefined) throw notOurHub(baseUrl, `sent an event "${item.event.slice(0, 40)}" without an id`)
  return decodeEventItem(baseUrl, { id: item.id, event: item.event, data })
}

function isTraceView(value: unknown): value is TraceView {
  return isJsonObject(value) && typeof value.lastSeq === 'number' && Array.isArray(value.calls)
}
