import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import { eraOfHeaders, HubError, readMcpHeader } from '@synchub/protocol'
import { readAccept } from '../../http/accept.js'
import { toHubFailure } from '../../http/hub-fault.js'
import { sendEmpty, sendJson } from '../../http/respond.js'
import type { HubContext } from '../../hub-context.js'
import { encodeSessionOver } from '../era-encoder.js'
import { HttpReply } from '../http-reply.js'
import { refuseTransport } from '../received-text.js'
import { SESSION_HEADER, type SessionBook } from './session-book.js'
import { serveSessionStream } from './session-stream.js'

/**
 * GET and DELETE of a legacy session: its stream, and its end. Without a session, and in the modern era, there is neither.
 * @returns false for a request that is none of these
 */
export async function serveSession(
  req: IncomingMessage,
  res: ServerResponse,
  principal: Principal,
  book: SessionBook,
  context: HubContext,
): Promise<boolean> {
  const id = readMcpHeader(req.headers, SESSION_HEADER)
  const isOfSession = (req.method === 'GET' || req.method === 'DELETE') && eraOfHeaders(req.headers) === 'legacy'
  if (id === undefined || !isOfSession) return false
  try {
    if ((await book.find(id, principal)) === null) {
      const { status, message } = encodeSessionOver(null)
      sendJson(res, status, message)
    } else if (req.method === 'DELETE') {
      await book.change(id, (sessions) => sessions.end(id))
      sendEmpty(res, 204)
    } else await openStream(id, req, res, principal, book, context)
  } catch (thrown) {
    if (res.headersSent) res.destroy()
    else refuseTransport(res, toHubFailure(thrown))
  }
  return true
}

async function openStream(
  id: string,
  req: IncomingMessage,
  res: ServerResponse,
  principal: Principal,
  book: SessionBook,
  context: HubContext,
): Promise<void> {
  const acceptance = readAccept(req.headers.accept)
  if (!acceptance.namesStream) {
    throw new HubError('NOT_ACCEPTABLE', 'a session is read as a stream: accept text/event-stream')
  }
  const reply = new HttpReply(res, { acceptance, config: context.config.streams, clock: context.clock })
  await serveSessionStream(id, principal, reply, book, context)
}
