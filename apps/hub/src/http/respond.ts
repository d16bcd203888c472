import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { errorResponse, type HubError } from '@synchub/protocol'
import { TurnResponse } from './turn-response.js'

/** Sends a JSON body. */
export function sendJson(res: ServerResponse, status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
  sendJsonText(res, status, JSON.stringify(body), headers)
}

/** Sends a body that is JSON text already. */
export function sendJsonText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  endAnswer(res, text)
}

/** Sends nothing but a status; a 204 has no length either (RFC 9110 section 8.6). */
export function sendEmpty(res: ServerResponse, status: 202 | 204, headers: OutgoingHttpHeaders = {}): void {
  res.writeHead(status, status === 204 ? headers : { 'Content-Length': 0, ...headers })
  endAnswer(res, '')
}

/** Sends a failure: the JSON-RPC error form for every status (S0.5). */
export function sendError(
  res: ServerResponse,
  error: HubError,
  instance: string,
  headers: OutgoingHttpHeaders = {},
): void {
  sendJson(res, error.definition.status, errorResponse(null, error, instance), { ...headers, ...errorHeaders(error) })
}

/** Headers that a failure brings with it. */
export function errorHeaders(error: HubError): OutgoingHttpHeaders {
  const { retryAfterSeconds } = error.details
  return {
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    ...(error.code === 'UNAUTHENTICATED' ? { 'WWW-Authenticate': 'Bearer realm="synchub"' } : {}),
  }
}

function endAnswer(res: ServerResponse, body: string): void {
  // Express gives the responses of its routes a prototype of its own; they wait for the store, and never end in their turn.
  if (res instanceof TurnResponse) res.endWithTurn(body)
  else res.end(body)
}
