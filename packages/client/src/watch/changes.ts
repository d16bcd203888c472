import { isJsonObject, type TraceState } from '@synchub/protocol'
import { abortableIterator } from '../abort/abortable-iterator.js'
import { linkAbort } from '../abort/linked-abort.js'
import { notOurHub, parseJson } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { openHubStream } from './hub-stream.js'
import { type ReconnectOptions, type StreamPlace, throughReconnects } from './reconnects.js'
import { readAnswerSse } from './trace-stream.js'

/** A trace stands otherwise than before. */
export interface TraceChange {
  readonly kind: 'change'
  readonly traceId: string
  readonly owner: string
  /** Number of the trace's last event by then. */
  readonly seq: number
  readonly state: TraceState
}

/** Changes may have been missed: only the list of traces tells which. */
export interface ChangeLoss {
  readonly kind: 'lost'
  readonly reason: 'interrupted' | 'overflow'
}

/** What is heard of changes. After `open` and `lost` only the list of traces tells what changed before. */
export type ChangeItem = { readonly kind: 'open' } | TraceChange | ChangeLoss

/** Listens to the notices of change (`GET /events`), through reconnects; never ends by itself. */
export function listenToChanges(
  connection: HubConnection,
  options: ReconnectOptions = {},
): AsyncIterableIterator<ChangeItem> {
  const abort = linkAbort(options.signal)
  const { signal } = abort
  const place: StreamPlace = { cursor: undefined, retryMs: undefined, connected: false, moved: false }
  const read = () => readConnection(connection, place, signal)
  return abortableIterator(throughReconnects(connection.baseUrl, place, read, { ...options, signal }), abort)
}

async function* readConnection(
  connection: HubConnection,
  place: StreamPlace,
  signal: AbortSignal,
): AsyncGenerator<ChangeItem, 'cut'> {
  const answer = await openHubStream(connection, '/events', signal)
  if (answer === 'ended') throw notOurHub(connection.baseUrl, 'ended the notices of change, which have no end')
  place.connected = true
  yield { kind: 'open' }
  for await (const item of readAnswerSse(connection, answer)) {
    if (item.kind === 'retry') place.retryMs = item.delayMs
    if (item.kind !== 'event') continue
    place.moved = true
    const notice = readNotice(item.event, parseJson(item.data))
    if (notice !== undefined) yield notice
  }
  return 'cut'
}

/** Reads a notice of change, or that some were lost; undefined for anything else. */
export function readNotice(event: string, data: unknown): TraceChange | ChangeLoss | undefined {
  if (event === 'change' && isChange(data)) return { ...data, kind: 'change' }
  if (event !== 'reset' || !isJsonObject(data) || data.traceId !== undefined) return undefined
  return { kind: 'lost', reason: data.reason === 'overflow' ? 'overflow' : 'interrupted' }
}

function isChange(value: unknown): value is Omit<TraceChange, 'kind'> {
  if (!isJsonObject(value)) return false
  const { traceId, owner, seq, state } = value
  return (
    typeof traceId === 'string' && typeof owner === 'string' && typeof seq === 'number' && typeof state === 'string'
  )
}
