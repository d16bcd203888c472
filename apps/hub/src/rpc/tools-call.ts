import { HubError, type JsonObject, traceparentOfCall } from '@synchub/protocol'
import { awaitAnswer } from '../calls/awaited-answer.js'
import type { SubmittedCall } from '../calls/call-desk.js'
import { callHeaders } from '../calls/call-headers.js'
import { linksOfCall } from '../calls/call-view.js'
import { currentCursor } from '../calls/current-cursor.js'
import { decodeToolCall, TOOL_CALL_PARAMS, type ToolCall } from '../calls/decode-tool-call.js'
import type { HubContext } from '../hub-context.js'
import { streamCall } from '../streams/call-stream.js'
import { type RpcCall, type RpcMethod, type RpcReply, rpcMethod } from './rpc-method.js'

/**
 * `tools/call` (S0.2). A short tool answers JSON; a long one a stream where the client names text/event-stream, 202 where it
 * prefers so, else JSON within the caller's wait. A caller that goes away, or stops waiting, never cancels its call.
 */
export function toolsCall(context: HubContext): RpcMethod {
  return rpcMethod({
    name: 'tools/call',
    params: TOOL_CALL_PARAMS,
    instance: ({ name }) => (typeof name === 'string' ? `/tools/call/${name}` : '/tools/call'),
    async handle(params, call) {
      const decoded = decodeToolCall(params, call, context)
      if (!context.isServing()) {
        throw new HubError('HUB_UNAVAILABLE', 'this hub is stopping and takes no new calls', { retryAfterSeconds: 1 })
      }
      // Read before the call exists: its own stream begins after what the trace held until then.
      const after = call.acceptance.namesStream ? await currentCursor(decoded.request, context) : null
      const submitted = await context.calls.submit(decoded.request)
      return answer(submitted, decoded, call, after, context)
    },
  })
}

async function answer(
  submitted: SubmittedCall,
  { waitMs, answerByMs, w3cTraceId }: ToolCall,
  call: RpcCall,
  after: string | null,
  context: HubContext,
): Promise<RpcReply> {
  const { callId, trace, mode, replayed } = submitted
  const { traceId } = trace
  const { acceptance, inBatch } = call
  const headers = callHeaders(submitted)
  const long = mode === 'queued' && !inBatch
  if (long && call.prefersAsync) {
    const links = linksOfCall(callId, traceId)
    const traceparent = traceparentOfCall({ callId, traceId, w3cTraceId })
    const result: JsonObject = {
      _meta: {
        callId,
        traceId,
        ...(traceparent === undefined ? {} : { traceparent }),
        ...(replayed ? { replayed } : {}),
      },
      links,
    }
    const asyncHeaders = { ...headers, Location: `/calls/${callId}`, 'Preference-Applied': 'respond-async' }
    return { kind: 'result', result, status: 202, headers: asyncHeaders }
  }
  if (!inBatch && acceptance.namesStream && (mode === 'queued' || !acceptance.json)) {
    return {
      kind: 'stream',
      open: (res) => streamCall(res, { trace, callId, after: replayed ? null : after, headers }, context),
    }
  }
  const result = await awaitAnswer(submitted, { waitMs, answerByMs, w3cTraceId, gone: call.disconnected }, context)
  return { kind: 'result', result, headers }
}
