import type { ServerResponse } from 'node:http'
import type { TraceRef } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import type { LogEntry } from '@synchub/redis'
import { sendJsonText } from '../http/respond.js'
import type { HubContext } from '../hub-context.js'
import { type EventFilter, isWanted } from './event-filter.js'

/** Most characters of event data in one page, but for a single event that is larger: what both sides hold of it. */
const MAX_PAGE_CHARS = 2 * 1024 * 1024

/** One page of a trace's log. */
export interface PageQuery {
  readonly trace: TraceRef
  /** Id of the event before the page; null from the beginning. */
  readonly after: string | null
  /** Id of the first event of the page, in place of `after`. */
  readonly from: string | null
  readonly filter: EventFilter
  /** Most entries that are looked at. */
  readonly limit: number
}

/**
 * Sends a page of events as JSON. Where the log goes on, a header says where as well: a reader can ask for the next page before
 * it has parsed this one.
 * @throws HubError INVALID_PARAMS when the place is not in the log
 */
export async function sendPage(res: ServerResponse, query: PageQuery, context: HubContext): Promise<void> {
  const { filter, limit } = query
  const entries = await readEntries(query, context)
  const page = entries.slice(0, countOfPage(entries))
  // The data is JSON already: joined as it is, since decoding it only to encode it again was most of the work.
  const items = page
    .filter((entry) => isWanted(entry, filter))
    .map(({ id, event, data }) => `{"id":"${id}","event":"${event}","data":${data}}`)
    .join(',')
  const next = page.length < entries.length || page.length === limit ? page.at(-1)?.id : undefined
  if (next === undefined) return sendJsonText(res, 200, `{"items":[${items}]}`)
  sendJsonText(res, 200, `{"items":[${items}],"nextCursor":"${next}"}`, { 'SyncHub-Next-Cursor': next })
}

/** How many entries the page takes: at least one, and no more than its size allows. */
function countOfPage(entries: readonly LogEntry[]): number {
  let chars = 0
  const end = entries.findIndex(({ data }, at) => {
    chars += data.length
    return at > 0 && chars > MAX_PAGE_CHARS
  })
  return end === -1 ? entries.length : end
}

async function readEntries(query: PageQuery, { reader }: HubContext): Promise<readonly LogEntry[]> {
  const { trace, after, from, limit } = query
  const place = from ?? after
  if (place === null) return reader.readAfter(trace, null, limit)
  // One step: what is read shows that the place is there.
  const entries = await (from === null ? reader.readOn(trace, place, limit) : reader.readFrom(trace, place, limit))
  if (entries !== null) return entries
  const reason = await reader.judgeCursor(trace, place)
  const expected = 'an id of this log; read the trace again and go on after its cursor'
  const path = from === null ? 'after' : 'from'
  throw new HubError('INVALID_PARAMS', `the cursor is ${reason ?? 'trimmed'}`, { path, expected })
}
