import type { CallRecord, CallRequest } from '@synchub/core'
import {
  checkParamHeaders,
  declaredInputs,
  declaredParamHeaders,
  HubError,
  type JsonObject,
  type ListedTool,
  NameUnknown,
} from '@synchub/protocol'
import type { Ending } from '@synchub/redis'
import { awaitEnding } from '../../calls/awaited-answer.js'
import { toCallResult } from '../../calls/call-answer.js'
import type { SubmittedCall } from '../../calls/call-desk.js'
import { currentCursor } from '../../calls/current-cursor.js'
import { decodeToolCall, TOOL_CALL_PARAMS, type ToolCall } from '../../calls/decode-tool-call.js'
import type { OfferedTools } from '../../calls/offered-tools.js'
import type { HubContext } from '../../hub-context.js'
import { cancelWithRequest } from '../call-cancel.js'
import { tellWhereItGoesOn } from '../going-on.js'
import { type AskedCall, askFor, findPausedCall, resumeCall } from '../input/paused-call.js'
import { askOnStream } from '../input/stream-question.js'
import { EVERY_ERA, type McpCall, type McpMethod, type McpOutcome, mcpMethod } from '../mcp-method.js'
import { awaitWithNotices } from '../notices/call-notices.js'
import { type NoticeWish, readNoticeWish } from '../notices/notice-wish.js'
import { findNewTask, readTaskWish } from '../tasks/task-wish.js'

/**
 * `tools/call`. JSON by default; where the request has a progress token and the client reads streams, progress comes as
 * notifications before the answer. Without one the wait is bounded, and the error names the call that goes on. A long call
 * becomes a task for a client that takes one. What an agent asks first, the client is asked: in the modern era by the answer, in
 * the legacy era by requests on the stream.
 */
export function toolsCall(context: HubContext, offered: OfferedTools): McpMethod {
  return mcpMethod({
    name: 'tools/call',
    eras: EVERY_ERA,
    params: TOOL_CALL_PARAMS,
    instance: ({ name }) => (typeof name === 'string' ? `/tools/call/${name}` : '/tools/call'),
    async handle(params, call) {
      const decoded = decodeToolCall(params, call, context)
      const wish = readNoticeWish(params, call)
      const tool = offered.listFor(call.principal).find(({ name }) => name === decoded.request.name)
      checkMirrors(decoded, call, tool)
      const taskWish = readTaskWish(params, call, tool, context.config)
      const paused = await findPaused(params, decoded.request, call, context)
      // Read before the call goes on: its own progress comes after what the trace held until then.
      const after = wish === undefined ? null : await currentCursor(traceOf(paused, decoded), context)
      const begun =
        paused === null
          ? await submit(toRequest(decoded, call, taskWish?.ttlMs), context)
          : await resumeCall(paused, params.inputResponses, { request: decoded.request, call }, context)
      if ('kind' in begun) return begun

      await cancelWithRequest(call, begun, context)
      const asksFirst = paused === null && taskWish?.asksFirst === true
      const task = taskWish === undefined ? null : await findNewTask(begun, call, asksFirst, context)
      if (task !== null) return { kind: 'task-made', task, replayed: begun.replayed }
      let ending = await awaitOnce(begun, { decoded, call, wish, after }, context)
      while (ending.event === 'input_requested') {
        if (call.era === 'modern') return ask(begun, { request: decoded.request, call }, context)
        const asked = await currentCursor(traceOf(paused, decoded), context)
        await askOnStream(begun, call, context)
        // What the person took to answer is none of the agent's time.
        const goesOn = { ...decoded, answerByMs: context.clock.now() + decoded.waitMs }
        ending = await awaitOnce(begun, { decoded: goesOn, call, wish, after: asked }, context)
      }
      const { callId, trace, replayed } = begun
      const answered = { callId, traceId: trace.traceId, replayed, w3cTraceId: decoded.w3cTraceId }
      return { kind: 'complete', result: { ...toCallResult(ending, answered) } }
    },
  })
}

/** What a wait goes by. */
interface Wait {
  readonly decoded: ToolCall
  readonly call: McpCall
  readonly wish: NoticeWish | undefined
  readonly after: string | null
}

/** Until the call has ended, or its agent asks. @throws HubError DEADLINE_EXCEEDED saying where the call can be found */
async function awaitOnce(begun: SubmittedCall, wait: Wait, context: HubContext): Promise<Ending> {
  const { decoded, call, wish, after } = wait
  const patience = { gone: call.gone, ...decoded }
  try {
    if (wish === undefined) return await awaitEnding(begun, patience, context)
    return await awaitWithNotices(begun, { ...patience, ...wish, after }, call.notices, context)
  } catch (thrown) {
    throw tellWhereItGoesOn(thrown, begun, call, decoded.request.idempotencyKey !== undefined)
  }
}

/** A request that goes on with an earlier one, whose agent wanted input first. */
async function findPaused(
  { requestState }: JsonObject,
  request: CallRequest,
  { era }: McpCall,
  context: HubContext,
): Promise<CallRecord | null> {
  return era === 'modern' && requestState !== undefined ? findPausedCall(requestState, request, context) : null
}

/**
 * What the agent may ask is what this very request declares that its client answers. The request comes last, as V8 adds members to
 * what it has just cloned ten times slower (docs/BENCHMARKS.md).
 */
function toRequest({ request }: ToolCall, call: McpCall, taskTtlMs: number | undefined): CallRequest {
  return {
    ...(taskTtlMs === undefined ? {} : { taskTtlMs }),
    ...(canBeAsked(call) ? { inputCapabilities: declaredInputs(call.clientCapabilities) } : {}),
    ...request,
  }
}

/** A legacy client is asked on the stream of its request. */
function canBeAsked({ era, notices }: McpCall): boolean {
  return era === 'modern' || notices.areRead
}

function traceOf(paused: CallRecord | null, { request }: ToolCall): Pick<CallRequest, 'principal' | 'traceId'> {
  return paused === null ? request : { principal: request.principal, traceId: paused.trace.traceId }
}

async function ask({ callId }: SubmittedCall, asked: AskedCall, context: HubContext): Promise<McpOutcome> {
  const record = await context.store.log.find(callId)
  if (record?.question === undefined) throw new HubError('INTERNAL_ERROR', 'what the agent asks is gone')
  return askFor(record, record.question, asked, context)
}

/** In the modern era the parameters that a tool wants in headers must stand there (SEP-2243). */
function checkMirrors({ request }: ToolCall, { era, headers }: McpCall, tool: ListedTool | undefined): void {
  if (era !== 'modern' || tool === undefined) return
  checkParamHeaders(declaredParamHeaders(tool.inputSchema), request.arguments, headers)
}

async function submit(request: CallRequest, context: HubContext): Promise<SubmittedCall> {
  if (!context.isServing()) {
    throw new HubError('HUB_UNAVAILABLE', 'this hub is stopping and takes no new calls', { retryAfterSeconds: 1 })
  }
  try {
    return await context.calls.submit(request)
  } catch (thrown) {
    const isMissing = thrown instanceof HubError && thrown.code === 'METHOD_NOT_FOUND'
    throw isMissing ? new NameUnknown('tool', request.name, thrown) : thrown
  }
}
