import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  checkNotification,
  type Era,
  encodeMcpError,
  eraOfHeaders,
  type Frame,
  HubError,
  type McpRequest,
  malformedStatusOf,
  mcpStatusOf,
  type RequestId,
  readHttpRequest,
  toMcpError,
} from '@synchub/protocol'
import { parseSingleFrame } from '../server/frame.js'
import { parseAccept } from '../server/media-type.js'
import { replyAccepted, replyDocument, setErrorHeaders } from '../server/reply.js'
import { Exchange, type McpParts } from './exchange.js'
import { HttpReply } from './http-reply.js'

const SESSION_HEADER = 'mcp-session-id'

/** One POST with its two ends. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * MCP over Streamable HTTP: `POST /mcp`, in both eras, without a state that one request needs of another. A legacy client is given
 * a session id all the same: request ids are unique only within a session, so a `notifications/cancelled` needs it to name one.
 */
export class McpHttpEndpoint {
  readonly #parts: McpParts
  readonly #heartbeatIntervalMs: number
  /** Requests of legacy sessions that are being worked on, by session and id. */
  readonly #cancellable = new Map<string, Exchange>()

  constructor(parts: McpParts, heartbeatIntervalMs: number) {
    this.#parts = parts
    this.#heartbeatIntervalMs = heartbeatIntervalMs
  }

  /**
   * Answers the body of a POST.
   * @throws HubError NOT_ACCEPTABLE
   */
  async answer(text: string, { request, response }: HttpExchange): Promise<void> {
    const accepted = parseAccept(request.headers.accept)
    if (!accepted.json && !accepted.stream)
      throw new HubError('NOT_ACCEPTABLE', 'the answer is JSON or an event stream')
    const era = eraOfHeaders(request.headers)
    try {
      const frame = parseSingleFrame(text)
      if (frame.kind === 'invalid') refuse(response, era, frame.error, frame.id, malformedStatusOf(era))
      else if (frame.kind === 'notification') this.#notice(frame, request, response)
      else await this.#answerRequest(frame, request, response)
    } catch (thrown) {
      refuse(response, era, thrown, null)
    }
  }

  #notice(
    { method, params }: Frame & { kind: 'notification' },
    { headers }: IncomingMessage,
    response: ServerResponse,
  ): void {
    checkNotification(headers)
    const { requestId, reason } = params
    if (method === 'notifications/cancelled' && (typeof requestId === 'string' || typeof requestId === 'number')) {
      const text = typeof reason === 'string' && reason !== '' ? reason : 'the caller cancelled the call'
      this.#cancellable.get(keyOf(headers[SESSION_HEADER], requestId))?.cancel(text)
    }
    replyAccepted(response)
  }

  async #answerRequest(
    frame: Frame & { kind: 'request' },
    { headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let mcpRequest: McpRequest
    try {
      mcpRequest = readHttpRequest(frame, headers)
    } catch (thrown) {
      return refuse(response, eraOfHeaders(headers), thrown, frame.id)
    }
    const { era } = mcpRequest
    const reply = new HttpReply({
      response,
      era,
      accepted: parseAccept(headers.accept),
      heartbeatIntervalMs: this.#heartbeatIntervalMs,
    })
    const exchange = new Exchange(this.#parts, mcpRequest, reply)
    if (era === 'modern') cancelWithConnection(exchange, response)
    else this.#trackSession(exchange, mcpRequest, headers[SESSION_HEADER], response)
    await exchange.run()
  }

  #trackSession(
    exchange: Exchange,
    { id, method }: McpRequest,
    session: string | string[] | undefined,
    response: ServerResponse,
  ): void {
    if (method === 'initialize') response.setHeader('Mcp-Session-Id', randomUUID())
    else if (session !== undefined) {
      const key = keyOf(session, id)
      this.#cancellable.set(key, exchange)
      void exchange.over.then(() => {
        if (this.#cancellable.get(key) === exchange) this.#cancellable.delete(key)
      })
    }
  }
}

/** Refuses what has not become an exchange. An id that could not be read is left out: MCP knows no null. */
function refuse(response: ServerResponse, era: Era, thrown: unknown, id: RequestId | null, status?: number): void {
  const error = toMcpError(thrown)
  const message = { jsonrpc: '2.0', ...(id === null ? {} : { id }), error: encodeMcpError(error, era, '/mcp') }
  replyDocument(response, status ?? mcpStatusOf(error, era), message)
}

/** Refuses what HTTP itself stands against, e.g. a foreign Origin: with the status of its code, and without an id. */
export function refuseTransport(response: ServerResponse, error: HubError): void {
  setErrorHeaders(response, error)
  replyDocument(response, error.definition.status, { jsonrpc: '2.0', error: encodeMcpError(error, 'legacy', '/mcp') })
}

/** In the modern era a client that closes its response cancels the request. */
function cancelWithConnection(exchange: Exchange, response: ServerResponse): void {
  response.once('close', () => {
    if (!response.writableFinished) exchange.cancel('the client closed the response before its end')
  })
}

function keyOf(session: string | string[] | undefined, id: RequestId): string {
  return JSON.stringify([session, id])
}
