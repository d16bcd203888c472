import {
  type EventName,
  isJsonObject,
  type ResetReason,
  readSse,
  SseFormatError,
  type SseItem,
  type TraceView,
} from '@synchub/protocol'
import { notOurHub, parseJson } from '../connection/failure.js'
import type { HubAnswer } from '../connection/hub-answer.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { encodeQuery, encodeSegment } from '../connection/path.js'
import { decodeEventItem, type TraceEventItem, type UnfamiliarItem } from './event-item.js'
import { openHubStream } from './hub-stream.js'

/** The trace could not be read on after the reader's cursor: this is how it stood, and the stream goes on after it. */
export interface TraceReset {
  readonly kind: 'reset'
  /** Cursor of the snapshot; absent with it. */
  readonly id: string | undefined
  readonly reason: ResetReason
  /** Null where the trace is gone altogether. */
  readonly snapshot: TraceView | null
}

/** What one connection to a trace's events brings, control items included. */
export type StreamItem =
  | TraceEventItem
  | TraceReset
  | UnfamiliarItem
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'end' }

/** What a connection to a trace's events asks for. */
export interface TraceStreamRequest {
  readonly after?: string | undefined
  readonly callId?: string | undefined
  readonly events?: readonly EventName[] | undefined
  readonly follow?: boolean | undefined
  readonly owner?: string | undefined
  readonly signal: AbortSignal
}

/**
 * Opens the event stream of a trace; 'ended' when nothing will come after the cursor.
 * @throws HubError what the hub answered where that is no stream
 */
export function openTraceStream(
  connection: HubConnection,
  traceId: string,
  { after, callId, events, follow, owner, signal }: TraceStreamRequest,
): Promise<HubAnswer | 'ended'> {
  const query = encodeQuery({ after, callId, event: events?.join(','), follow: follow ? '1' : undefined, owner })
  const path = `/traces/${encodeSegment('traceId', traceId)}/events${query}`
  return openHubStream(connection, path, signal)
}

/** Decodes the events of an answer's body as they arrive. */
export async function* readTraceStream(connection: HubConnection, answer: HubAnswer): AsyncGenerator<StreamItem> {
  for await (const item of readAnswerSse(connection, answer)) {
    if (item.kind === 'retry') yield item
    if (item.kind === 'event') yield decodeEvent(connection.baseUrl, item)
  }
}

/** The SSE items of an answer's body; a body that no reader can take is the hub's failure, and asking again cannot help. */
export async function* readAnswerSse(connection: HubConnection, answer: HubAnswer): AsyncGenerator<SseItem> {
  try {
    yield* readSse(answer.chunks(), connection.maxAnswerBytes)
  } catch (thrown) {
    if (thrown instanceof SseFormatError) {
      throw notOurHub(connection.baseUrl, `sent a broken stream: ${thrown.message}`, thrown)
    }
    throw thrown
  }
}

function decodeEvent(baseUrl: string, { id, event, data }: Extract<SseItem, { kind: 'event' }>): StreamItem {
  if (event === 'end') return { kind: 'end' }
  const value = parseJson(data)
  if (event === 'reset' && isJsonObject(value) && isResetReason(value.reason)) {
    const { reason, snapshot } = value
    if (snapshot === null) return { kind: 'reset', id: undefined, reason, snapshot }
    if (id !== undefined && isTraceView(snapshot)) return { kind: 'reset', id, reason, snapshot }
  }
  if (id === undefined || !isJsonObject(value)) {
    throw notOurHub(baseUrl, `sent an event "${event.slice(0, 40)}" without an id or without JSON data`)
  }
  return decodeEventItem(baseUrl, { id, event, data: value })
}

function isTraceView(value: unknown): value is TraceView {
  return isJsonObject(value) && typeof value.lastSeq === 'number' && Array.isArray(value.calls)
}

const RESET_REASONS: Readonly<Record<ResetReason, true>> = {
  invalid: true,
  trimmed: true,
  replaced: true,
  future: true,
}

function isResetReason(value: unknown): value is ResetReason {
  return typeof value === 'string' && Object.hasOwn(RESET_REASONS, value)
}
