import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import {
  checkNotification,
  claimsModern,
  type Era,
  eraOfHeaders,
  type Frame,
  type McpError,
  type McpRequest,
  parseMessage,
  type RequestId,
  readHttpRequest,
  readMcpHeader,
  toMcpError,
} from '@synchub/protocol'
import { createClientSessions, createRequestCancels } from '@synchub/redis'
import { toHubFailure } from '../http/hub-fault.js'
import { sendEmpty } from '../http/respond.js'
import type { HubContext } from '../hub-context.js'
import { type EncodedAnswer, encodeFailure, encodeMalformed, encodeOutcome, encodeSessionOver } from './era-encoder.js'
import { McpExchange } from './exchange.js'
import { HttpReply } from './http-reply.js'
import { takePostedResponse } from './input/posted-response.js'
import type { McpCall } from './mcp-method.js'
import { createMethodTable } from './method-table.js'
import { OpenRequests } from './open-requests.js'
import { MCP_PATH, receiveText } from './received-text.js'
import { SESSION_HEADER, SessionBook } from './session/session-book.js'
import { serveSession } from './session/session-request.js'

/** `POST /mcp`: MCP over Streamable HTTP in both eras. Never throws: every failure is a response. */
export type McpEndpoint = (req: IncomingMessage, res: ServerResponse, principal: Principal) => Promise<void>

/** A frame with what came around it. */
interface Arrival<Kind extends Frame['kind']> {
  readonly frame: Extract<Frame, { kind: Kind }>
  readonly headers: IncomingMessage['headers']
  readonly res: ServerResponse
  readonly principal: Principal
  readonly reply: HttpReply
}

/** Builds the endpoint. */
export function createMcpEndpoint(context: HubContext): McpEndpoint {
  const { config, clock, logger, store } = context
  const sessions = createClientSessions(store.link, store.subscriptions, config.limits.caller.sessions, (thrown) =>
    logger.warn({ err: thrown }, 'changes that other hubs make to sessions are not heard here'),
  )
  const book = new SessionBook(sessions, clock)
  const methodOf = createMethodTable(context, book)
  const cancels = createRequestCancels(store.link, store.subscriptions, (thrown) =>
    logger.warn({ err: thrown }, 'cancels that other hubs pass on are not heard here'),
  )
  const open = new OpenRequests(cancels, clock)

  const answer = async ({ era, id, method: name, params }: McpRequest, exchange: McpExchange) => {
    let instance = MCP_PATH
    try {
      const method = methodOf(era, name)
      instance = method.instance(params)
      return encodeOutcome(era, id, await method.handle(params, exchange), method)
    } catch (thrown) {
      const error = explain(thrown)
      if (error !== thrown) logger.error({ err: thrown, method: name }, 'request failed')
      return encodeFailure(era, id, error, instance)
    }
  }

  /** The session that a message of an era names; null for one that is over. */
  const sessionOf = async (era: Era, { headers, principal }: Pick<Arrival<'request'>, 'headers' | 'principal'>) => {
    const id = era === 'legacy' ? readMcpHeader(headers, SESSION_HEADER) : undefined
    if (id === undefined) return undefined
    const session = await book.find(id, principal)
    return session === null ? null : { ...session, id }
  }

  const serveRequest = async (arrival: Arrival<'request'>): Promise<void> => {
    const { frame, headers, reply } = arrival
    const request = readRequest(frame, headers)
    if ('status' in request) return reply.finish(request)
    // An opening has none yet.
    const session = request.method === 'initialize' ? undefined : await sessionOf(request.era, arrival)
    if (session === null) return reply.finish(encodeSessionOver(request.id))
    return exchange(request, session, arrival)
  }

  const exchange = async (request: McpRequest, session: McpCall['session'], arrival: Arrival<'request'>) => {
    const { headers, res, principal, reply } = arrival
    const exchanged = new McpExchange(request, { principal, headers, res, reply, session })
    const name = session === undefined ? undefined : { principal, session: session.id, id: request.id }
    const forget = name === undefined ? undefined : open.add(name, exchanged)
    const encoded = await answer(request, exchanged)
    forget?.(!reply.isOver)
    exchanged.close()
    if (exchanged.isCancelled) reply.endSilently()
    else reply.finish(encoded)
  }

  const serveNotification = async (arrival: Arrival<'notification'>): Promise<void> => {
    const { frame, headers, res, principal, reply } = arrival
    checkNotification(headers)
    const session = await sessionOf(eraOfHeaders(headers), arrival)
    if (session === null) return reply.finish(encodeSessionOver(null))
    const { requestId: id, reason } = frame.params
    if (frame.method === 'notifications/cancelled' && session !== undefined && isRequestId(id)) {
      const why = typeof reason === 'string' && reason !== '' ? reason : 'the caller cancelled the request'
      await open.cancel({ principal, session: session.id, id }, why)
    }
    // Never answered, known method or not (S2.1).
    sendEmpty(res, 202)
  }

  const serveInvalid = async (arrival: Arrival<'invalid'>): Promise<void> => {
    const { frame, headers, res, principal, reply } = arrival
    const era = eraOfHeaders(headers)
    const { response } = frame
    if (response !== undefined) {
      if ((await sessionOf(era, arrival)) === null) return reply.finish(encodeSessionOver(null))
      const outcome = era === 'legacy' ? await takePostedResponse(response, principal, context) : 'not-asked'
      if (outcome === 'taken') return sendEmpty(res, 202)
      if (outcome !== 'not-asked') return reply.finish(encodeMalformed(era, { ...frame, error: outcome }))
    }
    reply.finish(encodeMalformed(era, frame))
  }

  return async (req, res, principal) => {
    if (await serveSession(req, res, principal, book, context)) return
    const received = await receiveText(req, res, config.limits)
    if (received === null) return
    const { headers } = req
    const reply = new HttpReply(res, { acceptance: received.acceptance, config: config.streams, clock })
    try {
      const frame = parseMessage(received.text, config.limits)
      const around = { headers, res, principal, reply }
      if (frame.kind === 'request') await serveRequest({ frame, ...around })
      else if (frame.kind === 'notification') await serveNotification({ frame, ...around })
      else await serveInvalid({ frame, ...around })
    } catch (thrown) {
      const error = explain(thrown)
      if (error !== thrown) logger.error({ err: thrown }, 'request failed')
      reply.finish(encodeFailure(eraOfHeaders(headers), null, error, MCP_PATH))
    }
  }
}

/** The request in its era, or the answer to one that does not keep the rules of its revision. */
function readRequest(
  frame: Arrival<'request'>['frame'],
  headers: IncomingMessage['headers'],
): McpRequest | EncodedAnswer {
  try {
    return readHttpRequest(frame, headers)
  } catch (thrown) {
    const era = claimsModern(frame.params) ? 'modern' : eraOfHeaders(headers)
    return encodeFailure(era, frame.id, explain(thrown), MCP_PATH)
  }
}

/** What is thrown as an error that may be told; what is no error of ours nobody has foreseen. */
function explain(thrown: unknown): McpError {
  const error = toMcpError(thrown)
  return error === thrown ? error : toHubFailure(thrown)
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}
