import type { Principal } from '@synchub/auth'
import type { HubContext } from '../../hub-context.js'
import type { HttpReply } from '../http-reply.js'
import { watchLists } from '../listen/list-changes.js'
import { LIST_KINDS } from '../listen/listened-kinds.js'
import { watchResources } from '../listen/resource-changes.js'
import { untilStreamEnds } from '../listen/stream-end.js'
import type { SessionBook } from './session-book.js'

/**
 * The stream of a legacy session (GET): it tells of changed lists and of the resources that the session has subscribed to, until
 * the client goes, the session ends, the hub stops, or it is old. Requests of the server come on the streams of the client's own requests instead.
 */
export async function serveSessionStream(
  sessionId: string,
  principal: Principal,
  reply: HttpReply,
  book: SessionBook,
  context: HubContext,
): Promise<void> {
  reply.begin()
  const over = new AbortController()
  const endIfOver = async () => {
    if ((await book.find(sessionId, principal)) === null) over.abort()
  }
  const look = () => {
    endIfOver().catch((thrown: unknown) => context.logger.warn({ err: thrown }, 'the end of a session was not seen'))
  }
  const urisOf = async () => (await book.find(sessionId, principal))?.resourceUris ?? []
  const stops = [
    book.watch(sessionId, look),
    watchLists(LIST_KINDS, principal, context, (method) => reply.send(method, {})),
  ]
  try {
    stops.push(
      await watchResources(urisOf, principal, context, (uri) => reply.send('notifications/resources/updated', { uri })),
    )
    // It may have ended before anybody watched.
    look()
    await untilStreamEnds(AbortSignal.any([reply.closed(), over.signal]), context)
  } finally {
    for (const stop of stops) stop()
    reply.end()
  }
}
