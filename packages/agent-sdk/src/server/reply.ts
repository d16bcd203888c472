import type { ServerResponse } from 'node:http'
import { errorResponse, type HubError, type RequestId, resultResponse } from '@synchub/protocol'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers of a stream that no proxy may hold back or compress. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** A reader that takes nothing of a finished answer for this long is cut: the answer is stored, and memory is not for ever. */
const STALLED_READER_MS = 60_000

/** Answers with a JSON-RPC result. */
export function replyResult(response: ServerResponse, id: RequestId, result: unknown): void {
  send(response, 200, JSON.stringify(resultResponse(id, result)))
}

/** Answers with a JSON-RPC error under the HTTP status of its code. */
export function replyError(response: ServerResponse, id: RequestId | null, error: HubError, instance: string): void {
  setErrorHeaders(response, error)
  send(response, error.definition.status, JSON.stringify(errorResponse(id, error, instance)))
}

/** What HTTP itself has to say of a failure: how to log in, when to come again. */
export function setErrorHeaders(response: ServerResponse, error: HubError): void {
  if (response.headersSent) return
  if (error.code === 'UNAUTHENTICATED') response.setHeader('WWW-Authenticate', 'Bearer')
  if (error.details.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.details.retryAfterSeconds)
}

/** Answers with a JSON document that is no JSON-RPC. */
export function replyDocument(response: ServerResponse, status: number, document: object): void {
  send(response, status, JSON.stringify(document))
}

/** Answers a notification: it was taken, and there is nothing to say. */
export function replyAccepted(response: ServerResponse): void {
  if (!response.destroyed) response.writeHead(202, { 'Content-Length': 0 }).end()
}

/** Cuts a reader that does not take what was sent to it. */
export function cutWhenStalled(response: ServerResponse): void {
  response.setTimeout(STALLED_READER_MS, () => response.destroy())
}

function send(response: ServerResponse, status: number, body: string): void {
  if (response.destroyed) return
  cutWhenStalled(response)
  response.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(body) }).end(body)
}
