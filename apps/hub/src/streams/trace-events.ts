import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import { EVENT_NAMES, type EventName } from '@synchub/protocol'
import { findVisibleTrace } from '../calls/visible-objects.js'
import { readAccept } from '../http/accept.js'
import { badParameter, queryOf, readCount, readFlag } from '../http/query.js'
import { sendEmpty } from '../http/respond.js'
import type { HubContext } from '../hub-context.js'
import { eventFilter, isWanted } from './event-filter.js'
import { type PageQuery, sendPage } from './event-page.js'
import { streamTrace } from './trace-stream.js'

/** What a reader of `GET /traces/{traceId}/events` asks for. */
interface EventsQuery extends PageQuery {
  readonly follow: boolean
}

const MAX_PAGE = 1000
const SCAN_PAGE = 500

/**
 * `GET /traces/{traceId}/events`: the trace's events as a stream for `text/event-stream`, else as pages of JSON.
 * @throws HubError NOT_FOUND, INVALID_PARAMS, NOT_ACCEPTABLE
 */
export async function serveTraceEvents(
  req: IncomingMessage,
  res: ServerResponse,
  traceId: string,
  principal: Principal,
  context: HubContext,
): Promise<void> {
  const acceptance = readAccept(req.headers.accept)
  const query = await readQuery(req, traceId, principal, context)
  if (!acceptance.namesStream) return sendPage(res, query, context)
  if (query.from !== null) throw badParameter('from', 'absent for a stream, which goes on after an event')
  if (await isOver(query, context)) return sendEmpty(res, 204, { 'Cache-Control': 'no-store' })
  return streamTrace(res, query, context)
}

async function readQuery(
  req: IncomingMessage,
  traceId: string,
  principal: Principal,
  context: HubContext,
): Promise<EventsQuery> {
  const params = queryOf(req.url)
  const follow = readFlag(params, 'follow')
  const wish = { traceId, owner: params.get('owner') ?? undefined, mayBeMissing: follow }
  const lastEventId = req.headers['last-event-id']
  return {
    trace: await findVisibleTrace(wish, principal, context),
    // `Last-Event-ID` beats `?after=` (invariant 2).
    after: (typeof lastEventId === 'string' ? lastEventId : undefined) ?? params.get('after'),
    from: params.get('from'),
    filter: eventFilter(params.get('callId') ?? undefined, readEvents(params)),
    follow,
    limit: readCount(params, 'limit', { max: MAX_PAGE, fallback: 100 }),
  }
}

/** Whether a reader with this cursor has all that it will ever get: a 204 tells a browser not to come back. */
async function isOver({ trace, after, filter, follow }: EventsQuery, context: HubContext): Promise<boolean> {
  if (after === null || follow) return false
  const { reader, config, clock } = context
  const head = await reader.head(trace)
  if (head === null || head.openCalls > 0 || clock.now() - head.atMs < config.streams.lingerMs) return false
  if ((await reader.judgeCursor(trace, after)) !== null) return false
  let from = after
  for (;;) {
    const entries = await reader.readAfter(trace, from, SCAN_PAGE)
    if (entries.some((entry) => isWanted(entry, filter))) return false
    const last = entries.at(-1)
    if (last === undefined || entries.length < SCAN_PAGE) return true
    from = last.id
  }
}

function readEvents(params: URLSearchParams): ReadonlySet<EventName> | undefined {
  const names = params.get('event')?.split(',')
  if (names === undefined) return undefined
  const known = EVENT_NAMES.filter((name) => names.includes(name))
  if (known.length === new Set(names).size) return new Set(known)
  throw badParameter('event', `names out of ${EVENT_NAMES.join(', ')}`)
}
