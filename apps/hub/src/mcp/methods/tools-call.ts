import { checkParamHeaders, HubError, type JsonObject, NameUnknown } from '@synchub/protocol'
import { awaitAnswer } from '../../calls/awaited-answer.js'
import type { SubmittedCall } from '../../calls/call-desk.js'
import { currentCursor } from '../../calls/current-cursor.js'
import { decodeToolCall, TOOL_CALL_PARAMS, type ToolCall } from '../../calls/decode-tool-call.js'
import type { OfferedTools } from '../../calls/offered-tools.js'
import type { HubContext } from '../../hub-context.js'
import { followProgress } from '../call-progress.js'
import { EVERY_ERA, type McpCall, type McpMethod, mcpMethod } from '../mcp-method.js'
import { paramHeadersOfTool } from '../param-headers.js'
import { readProgressWish } from '../progress-wish.js'
import { findNewTask, readTaskWish, type TaskWish } from '../tasks/task-wish.js'

/**
 * `tools/call`. JSON by default; where the request has a progress token and the client reads streams, progress comes as
 * notifications before the answer. Without one the wait is bounded, and the error names the call that goes on. A long call
 * becomes a task for a client that takes one.
 */
export function toolsCall(context: HubContext, offered: OfferedTools): McpMethod {
  return mcpMethod({
    name: 'tools/call',
    eras: EVERY_ERA,
    params: TOOL_CALL_PARAMS,
    instance: ({ name }) => (typeof name === 'string' ? `/tools/call/${name}` : '/tools/call'),
    async handle(params, call) {
      const decoded = decodeToolCall(params, call, context.config.limits)
      const wish = readProgressWish(params, call.notices)
      checkMirrors(decoded, call, offered)
      // Read before the call exists: its own progress comes after what the trace held until then.
      const after = wish === undefined ? null : await currentCursor(decoded.request, context)
      const wishesTask = readTaskWish(params, call, decoded.request.name, offered)
      const submitted = await submit(decoded, wishesTask, context)
      call.cancelled.addEventListener('abort', () => void cancelFor(call, submitted, context))
      if (call.cancelled.aborted) await cancelFor(call, submitted, context)
      const task = wishesTask === undefined ? null : await findNewTask(submitted, call, context)
      if (task !== null) return { kind: 'task-made', task }
      const { callId, trace, mode, replayed } = submitted
      if (wish === undefined) return complete(await awaitAnswer(submitted, patienceOf(decoded, call), context))

      if (mode === 'queued') call.notices.begin()
      const follow = { trace, callId, after: replayed ? null : after, ...wish }
      const progress = await followProgress(follow, call.notices, context)
      try {
        const waitMs = decoded.timeoutMs ?? context.config.streams.maxAgeMs
        const answer = await awaitAnswer(submitted, { ...patienceOf(decoded, call), waitMs }, context)
        await progress.settled()
        return complete(answer)
      } finally {
        progress.stop()
      }
    },
  })
}

function complete(answer: object): { kind: 'complete'; result: JsonObject } {
  return { kind: 'complete', result: { ...answer } }
}

function patienceOf({ waitMs, w3cTraceId }: ToolCall, { gone }: McpCall) {
  return { waitMs, w3cTraceId, gone }
}

/** In the modern era the parameters that a tool wants in headers must stand there (SEP-2243). */
function checkMirrors({ request }: ToolCall, call: McpCall, offered: OfferedTools): void {
  if (call.era !== 'modern') return
  const tool = offered.listFor(call.principal).find(({ name }) => name === request.name)
  if (tool !== undefined) checkParamHeaders(paramHeadersOfTool(tool), request.arguments, call.headers)
}

async function submit({ request }: ToolCall, wish: TaskWish | undefined, context: HubContext): Promise<SubmittedCall> {
  if (!context.isServing()) {
    throw new HubError('HUB_UNAVAILABLE', 'this hub is stopping and takes no new calls', { retryAfterSeconds: 1 })
  }
  try {
    return await context.calls.submit(wish?.ttlMs === undefined ? request : { ...request, taskTtlMs: wish.ttlMs })
  } catch (thrown) {
    const isMissing = thrown instanceof HubError && thrown.code === 'METHOD_NOT_FOUND'
    throw isMissing ? new NameUnknown('tool', request.name, thrown) : thrown
  }
}

/** A repeat only listens: the call belongs to the request that made it. */
async function cancelFor(call: McpCall, { callId, replayed }: SubmittedCall, context: HubContext): Promise<void> {
  if (replayed) return
  const { reason } = call.cancelled
  try {
    const record = await context.store.log.find(callId)
    if (record !== null) await context.calls.cancel(record, reason instanceof HubError ? reason.reason : undefined)
  } catch (thrown) {
    context.logger.warn({ err: thrown, callId }, 'the call of a cancelled request was not cancelled')
  }
}
