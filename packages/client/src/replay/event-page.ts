import { isJsonObject, type RawEvent } from '@synchub/protocol'
import { notOurHub, parseJson } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { encodeQuery, encodeSegment } from '../connection/path.js'
import { decodeEventItem, type TraceEventItem } from '../watch/event-item.js'

/** Which log is read, from where. */
export interface PagesRequest {
  readonly traceId: string
  readonly owner: string | undefined
  /** Id of the first event; the beginning of the log where absent. */
  readonly from: string | undefined
}

/** Where a page begins: with an event, behind one, or where the log does. */
export interface PagePlace {
  readonly from?: string | undefined
  readonly after?: string
}

/** A page that has come and is not parsed yet. */
export interface ArrivedPage {
  readonly text: string
  /** Where the log goes on for certain, which the head of the answer tells. */
  readonly next: string | undefined
}

/** The events of a page. */
export interface EventPage {
  readonly items: readonly TraceEventItem[]
  /** Absent for an empty page, which is the last one. */
  readonly lastId: string | undefined
}

/** Most events of one page, as many as the hub gives; it cuts a page that would be too large to hold. */
const PAGE_EVENTS = 1000
const NEXT_HEADER = 'SyncHub-Next-Cursor'

/** Fetches a page whole, so that nothing of it waits in the hub while the one before is used. @throws HubError */
export async function fetchPage(
  connection: HubConnection,
  { traceId, owner }: PagesRequest,
  place: PagePlace,
  signal: AbortSignal,
): Promise<ArrivedPage> {
  const query = encodeQuery({ ...place, limit: PAGE_EVENTS, owner })
  const path = `/traces/${encodeSegment('traceId', traceId)}/events${query}`
  const answer = await connection.send({ method: 'GET', path, accept: 'application/json', signal })
  if (answer.status >= 400) throw await connection.failureOf(answer)
  return { text: await answer.text(), next: answer.headers.get(NEXT_HEADER) ?? undefined }
}

/** Parses a page. @throws HubError CONTRACT_BROKEN */
export function decodePage(baseUrl: string, { text }: ArrivedPage): EventPage {
  const page = parseJson(text)
  if (!isJsonObject(page) || !isRawEvents(page.items)) {
    throw notOurHub(baseUrl, 'answered with something that is no page of events')
  }
  const items: TraceEventItem[] = []
  for (const raw of page.items) {
    const item = decodeEventItem(baseUrl, raw)
    if (item.kind === 'event') items.push(item)
  }
  return { items, lastId: page.items.at(-1)?.id }
}

function isRawEvents(value: unknown): value is readonly RawEvent[] {
  if (!Array.isArray(value)) return false
  return value.every((item) => isJsonObject(item) && typeof item.id === 'string' && typeof item.event === 'string')
}
