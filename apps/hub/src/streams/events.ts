import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import { requireOwnLists } from '../calls/visible-objects.js'
import { readAccept } from '../http/accept.js'
import { queryOf } from '../http/query.js'
import type { HubContext } from '../hub-context.js'
import { serveChangeNotices } from './change-stream.js'
import { serveJoinedEvents } from './joined-events.js'

/** `GET /events`: with `traces` the events of those, without it notices of what changes. @throws HubError NOT_ACCEPTABLE */
export async function serveEvents(
  req: IncomingMessage,
  res: ServerResponse,
  principal: Principal,
  context: HubContext,
): Promise<void> {
  if (!readAccept(req.headers.accept).stream) {
    throw new HubError('NOT_ACCEPTABLE', 'only text/event-stream is served on /events')
  }
  if (queryOf(req.url).has('traces')) return serveJoinedEvents(req, res, principal, context)
  requireOwnLists(principal)
  return serveChangeNotices(res, principal, context)
}
