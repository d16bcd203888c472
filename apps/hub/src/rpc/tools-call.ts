import type { Clock } from '@synchub/core'
import { HubError, type JsonObject } from '@synchub/protocol'
import type { Ending } from '@synchub/redis'
import type { SubmittedCall } from '../calls/call-desk.js'
import { linksOfCall } from '../calls/call-view.js'
import type { HubContext } from '../hub-context.js'
import { streamCall } from '../streams/call-stream.js'
import { toCallResult } from './call-answer.js'
import { decodeToolCall, TOOL_CALL_PARAMS, type ToolCall } from './decode-tool-call.js'
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
      const decoded = decodeToolCall(params, call, context.config.limits)
      if (!context.isServing()) {
        throw new HubError('HUB_UNAVAILABLE', 'this hub is stopping and takes no new calls', { retryAfterSeconds: 1 })
      }
      // Read before the call exists: its own stream begins after what the trace held until then.
      const after = call.acceptance.namesStream ? await currentCursor(decoded, context) : null
      const submitted = await context.calls.submit(decoded.request)
      return answer(submitted, decoded.waitMs, call, after, context)
    },
  })
}

function answer(
  submitted: SubmittedCall,
  waitMs: number,
  call: RpcCall,
  after: string | null,
  context: HubContext,
): Promise<RpcReply> | RpcReply {
  const { callId, trace, mode, replayed } = submitted
  const { traceId } = trace
  const { acceptance, inBatch } = call
  const headers = { 'SyncHub-Call-Id': callId, 'SyncHub-Trace-Id': traceId }
  const long = mode === 'queued' && !inBatch
  if (long && call.prefersAsync) {
    const links = linksOfCall(callId, traceId)
    const result: JsonObject = { _meta: { callId, traceId, ...(replayed ? { replayed } : {}) }, links }
    const asyncHeaders = { ...headers, Location: `/calls/${callId}`, 'Preference-Applied': 'respond-async' }
    return { kind: 'result', result, status: 202, headers: asyncHeaders }
  }
  if (!inBatch && acceptance.namesStream && (mode === 'queued' || !acceptance.json)) {
    return {
      kind: 'stream',
      open: (res) => streamCall(res, { trace, callId, after: replayed ? null : after, headers }, context),
    }
  }
  return waitForAnswer(submitted, waitMs, call, headers, context)
}

async function waitForAnswer(
  submitted: SubmittedCall,
  waitMs: number,
  { disconnected }: RpcCall,
  headers: Readonly<Record<string, string>>,
  context: HubContext,
): Promise<RpcReply> {
  const { callId, trace, replayed } = submitted
  const { traceId } = trace
  const ending = await waitAtMost(submitted, waitMs, disconnected, context.clock)
  if (ending === null) {
    // A timeout is not a failure (S4.3): the call goes on, and here is where to find it.
    const why = context.isServing() ? `no answer came within ${waitMs} ms` : 'this hub is stopping'
    const place = { callId, traceId, links: linksOfCall(callId, traceId) }
    throw new HubError('DEADLINE_EXCEEDED', `the call goes on; ${why}`, place)
  }
  return { kind: 'result', result: toCallResult(ending, { callId, traceId, replayed }), headers }
}

/** Not AbortSignal.timeout within AbortSignal.any: the timer is collected with what only the joined signal knew of. */
async function waitAtMost(
  { wait }: SubmittedCall,
  waitMs: number,
  disconnected: AbortSignal,
  clock: Clock,
): Promise<Ending | null> {
  const patience = new AbortController()
  const stop = () => patience.abort()
  const callOff = clock.schedule(waitMs, stop)
  disconnected.addEventListener('abort', stop, { once: true })
  if (disconnected.aborted) stop()
  try {
    return await wait(patience.signal)
  } finally {
    callOff()
    disconnected.removeEventListener('abort', stop)
  }
}

async function currentCursor({ request }: ToolCall, { reader }: HubContext): Promise<string | null> {
  const { principal, traceId } = request
  const head = await reader.head({ tenant: principal.tenant, owner: principal.subject, traceId })
  return head?.id ?? null
}
