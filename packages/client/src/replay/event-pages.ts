import { isJsonObject } from '@synchub/protocol'
import { abortableIterator } from '../abort/abortable-iterator.js'
import { linkAbort } from '../abort/linked-abort.js'
import { DEFAULT_OUTAGE_TIMEOUT_MS } from '../call/call-options.js'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { type OutageBounds, throughOutage } from '../connection/outage.js'
import { encodeQuery, encodeSegment } from '../connection/path.js'
import { decodeEventItem, type RawEvent, type TraceEventItem } from '../watch/event-item.js'

/** Which log is read, from where. */
export interface PagesRequest {
  readonly traceId: string
  readonly owner: string | undefined
  /** Id of the first event; the beginning of the log where absent. */
  readonly from: string | undefined
}

/** Events of one page: at 64 KiB at most, a page and the next one stay within what a client holds. */
const PAGE_EVENTS = 500

interface EventPage {
  readonly items: readonly TraceEventItem[]
  /** Where the next page goes on; absent behind an empty page, which is the last one. */
  readonly next: string | undefined
  /** Whether the log goes on behind this page for certain. */
  readonly isFull: boolean
}

/** Options of `eventPages`. */
export interface EventPagesOptions {
  /** Begin with the event of this id; by default with the first. */
  readonly from?: string | undefined
  /** Whose trace, where several owners have one of this name. */
  readonly owner?: string | undefined
  /** Ends the reading quietly. */
  readonly signal?: AbortSignal | undefined
}

/** Reads the recorded events of a trace at full speed, some hundred at a time. */
export function readLog(
  connection: HubConnection,
  traceId: string,
  { from, owner, signal }: EventPagesOptions = {},
): AsyncIterableIterator<readonly TraceEventItem[]> {
  const abort = linkAbort(signal)
  const bounds = { outageTimeoutMs: DEFAULT_OUTAGE_TIMEOUT_MS, signal: abort.signal }
  return abortableIterator(
    endQuietly(readEventPages(connection, { traceId, owner, from }, bounds), abort.signal),
    abort,
  )
}

async function* endQuietly<Item>(items: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item, undefined> {
  try {
    yield* items
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
}

/**
 * Reads a log page by page to its end, as it is once that is reached. While a page is used the next one is fetched, and never
 * more than that.
 */
export async function* readEventPages(
  connection: HubConnection,
  request: PagesRequest,
  bounds: OutageBounds,
): AsyncGenerator<readonly TraceEventItem[], undefined> {
  const fetchAfter = (place: { readonly from?: string | undefined; readonly after?: string }) =>
    throughOutage(() => fetchPage(connection, request, place, bounds.signal), bounds)
  let page = await fetchAfter({ from: request.from })
  while (page.next !== undefined) {
    const after = page.next
    const ahead = page.isFull ? fetchAfter({ after }) : undefined
    // A failure is thrown below, where the page is wanted; until then nobody listens.
    ahead?.catch(() => undefined)
    yield page.items
    page = await (ahead ?? fetchAfter({ after }))
  }
}

async function fetchPage(
  connection: HubConnection,
  { traceId, owner }: PagesRequest,
  place: { readonly from?: string | undefined; readonly after?: string },
  signal: AbortSignal,
): Promise<EventPage> {
  const query = encodeQuery({ ...place, limit: PAGE_EVENTS, owner })
  const path = `/traces/${encodeSegment('traceId', traceId)}/events${query}`
  const page = await connection.json({ method: 'GET', path, signal })
  if (!isJsonObject(page) || !isRawEvents(page.items)) {
    throw notOurHub(connection.baseUrl, 'answered with something that is no page of events')
  }
  const items: TraceEventItem[] = []
  for (const raw of page.items) {
    const item = decodeEventItem(connection.baseUrl, raw)
    if (item.kind === 'event') items.push(item)
  }
  const { nextCursor } = page
  const isFull = typeof nextCursor === 'string'
  return { items, next: isFull ? nextCursor : page.items.at(-1)?.id, isFull }
}

function isRawEvents(value: unknown): value is readonly RawEvent[] {
  if (!Array.isArray(value)) return false
  return value.every((item) => isJsonObject(item) && typeof item.id === 'string' && typeof item.event === 'string')
}
