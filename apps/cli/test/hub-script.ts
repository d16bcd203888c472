import type { ServerResponse } from 'node:http'
import {
  type ErrorCode,
  encodeSseEvent,
  errorResponse,
  HubError,
  type JsonObject,
  resultResponse,
  toErrorObject,
} from '@synchub/protocol'
import type { HubScript } from './scripted-hub.js'

/** The call and the trace of all scripts. */
export const CALL_ID = '0197c5a0-6d3e-7c11-9a43-5f1d2b8e7a10'
export const TRACE_ID = 'demo'

/** The end of a trace's stream. */
export const END = encodeSseEvent({ event: 'end', data: '{}' })

/** Answers with JSON. */
export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers a JSON-RPC request. */
export function answerRpc(response: ServerResponse, result: unknown, status = 200): void {
  answerJson(response, resultResponse(1, result), status)
}

/** Answers a call with a result that says `done`, and what is added to it. */
export function answerResult(response: ServerResponse, members: Record<string, unknown> = {}): void {
  const meta = { callId: CALL_ID, traceId: TRACE_ID, executionTimeMs: 5 }
  answerRpc(response, { content: [{ type: 'text', text: 'done' }], isError: false, _meta: meta, ...members })
}

/** Answers with a failure. */
export function answerError(response: ServerResponse, code: ErrorCode): void {
  const error = new HubError(code, `scripted ${code}`, { path: 'city', expected: 'string' })
  answerJson(response, errorResponse(1, error, '/scripted'), error.definition.status)
}

/** Begins the stream of a call or a trace. */
export function beginStream(response: ServerResponse): ServerResponse {
  const call = { 'SyncHub-Call-Id': CALL_ID, 'SyncHub-Trace-Id': TRACE_ID }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...call }).flushHeaders()
  return response
}

/** One event of the trace, as bytes. */
export function event(seq: number, name: string, members: Record<string, unknown>): string {
  const envelope = { seq, at: '2026-01-01T00:00:00.000Z', traceId: TRACE_ID, callId: CALL_ID, tool: 'tool' }
  return encodeSseEvent({ id: `${seq}-a`, event: name, data: JSON.stringify({ ...envelope, ...members }) })
}

/** A progress out of 100. */
export function progress(seq: number, value: number): string {
  return event(seq, 'progress', { token: `prg-${seq}`, progress: value, total: 100, message: `step ${seq}` })
}

/** A completion with a structured result. */
export function complete(seq: number): string {
  const result = { reportId: 'rep-1' }
  return event(seq, 'complete', { progress: 100, total: 100, result, content: [], isError: false, executionTimeMs: 5 })
}

/** The failure of the call by its agent. */
export function failed(seq: number, reason: string, members: Record<string, unknown> = {}): string {
  return event(seq, 'failed', {
    error: toErrorObject(new HubError('INTERNAL_ERROR', reason), '/tools/call/tool'),
    ...members,
  })
}

/** Plays a trace: its stream, then how it ended as its snapshot and its one call tell. */
export function playTrace(
  stream: string | ((response: ServerResponse) => void),
  end: JsonObject = { state: 'completed', isError: false, content: [] },
): HubScript {
  const call = { callId: CALL_ID, traceId: TRACE_ID, executionTimeMs: 5, ...end }
  return ({ path }, response) => {
    if (path === '/rpc') return answerRpc(response, call)
    if (!path.endsWith('/events'))
      return answerJson(response, { traceId: TRACE_ID, calls: [{ ...call, children: [] }] })
    if (typeof stream === 'string') beginStream(response).end(stream)
    else stream(beginStream(response))
  }
}
