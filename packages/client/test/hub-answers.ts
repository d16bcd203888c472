import type { ServerResponse } from 'node:http'
import type { ErrorCode, ErrorDetails } from '@synchub/protocol'
import { encodeSseEvent, HubError, toErrorObject } from '@synchub/protocol'

/** The ids that scripts use where a test needs no others. */
export const CALL_ID = '01939e00-0000-7000-8000-000000000001'
export const TRACE_ID = 'trace-1'

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Answers a JSON-RPC request with a result. */
export function sendResult(response: ServerResponse, result: unknown, status = 200): void {
  sendJson(response, status, { jsonrpc: '2.0', id: 1, result })
}

/** Answers with a failure of the table, as the hub does on every surface. */
export function sendError(response: ServerResponse, code: ErrorCode, details: ErrorDetails = {}): void {
  const error = new HubError(code, `scripted ${code}`, details)
  sendJson(response, error.definition.status, { jsonrpc: '2.0', id: 1, error: toErrorObject(error, '/scripted') })
}

/** The error object of a failure, as events hold it. */
export function errorObject(code: ErrorCode, reason: string) {
  return toErrorObject(new HubError(code, reason), '/tools/call/tool')
}

/** Begins an event stream. */
export function openStream(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  response.flushHeaders()
}

/** The headers that name the call on its own stream. */
export const CALL_HEADERS = { 'SyncHub-Call-Id': CALL_ID, 'SyncHub-Trace-Id': TRACE_ID }

/** One event of the scripted trace, as bytes of a stream. */
export function eventBytes(seq: number, event: string, data: Record<string, unknown> = {}): string {
  const envelope = { seq, at: '2026-01-01T00:00:00.000Z', traceId: TRACE_ID, callId: CALL_ID, tool: 'tool' }
  return encodeSseEvent({ id: `${seq}-a`, event, data: JSON.stringify({ ...envelope, ...data }) })
}

/** A progress event. */
export function progressBytes(seq: number, progress = seq): string {
  return eventBytes(seq, 'progress', { token: `prg-0${seq}`, progress, total: 100, message: `step ${seq}` })
}

/** A complete event with a structured result. */
export function completeBytes(seq: number, result: unknown = { reportId: 'rep-1' }): string {
  const data = { token: 'prg-99', progress: 100, total: 100, result, content: [], isError: false, executionTimeMs: 5 }
  return eventBytes(seq, 'complete', data)
}

/** The end of a stream. */
export const END_BYTES = encodeSseEvent({ event: 'end', data: '{}' })

/** The record of the scripted call. */
export function callView(state: string, members: Record<string, unknown> = {}): Record<string, unknown> {
  return { callId: CALL_ID, traceId: TRACE_ID, tool: 'tool', agent: 'agent', caller: 'caller', state, ...members }
}

/** The members of a completed call's record. */
export const COMPLETED = { result: { reportId: 'rep-1' }, content: [], isError: false, executionTimeMs: 5 }

/** The result of a call that was answered as JSON. */
export const CALL_RESULT = {
  content: [{ type: 'text', text: 'done' }],
  isError: false,
  _meta: { callId: CALL_ID, traceId: TRACE_ID, executionTimeMs: 5 },
}

/** The code of the HubError that a promise rejects with. */
export async function failureCode(promise: Promise<unknown>): Promise<ErrorCode | 'resolved' | 'not ours'> {
  try {
    await promise
    return 'resolved'
  } catch (thrown) {
    return thrown instanceof HubError ? thrown.code : 'not ours'
  }
}
