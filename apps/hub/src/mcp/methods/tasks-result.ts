import type { StopSignal } from '@synchub/core'
import { META_KEYS } from '@synchub/protocol'
import { awaitEnding } from '../../calls/awaited-answer.js'
import { toCallResult } from '../../calls/call-answer.js'
import type { HubContext } from '../../hub-context.js'
import { tellWhereItGoesOn } from '../going-on.js'
import { askOnStream } from '../input/stream-question.js'
import { type McpMethod, mcpMethod } from '../mcp-method.js'
import { findTask } from '../tasks/find-task.js'
import { TASK_PARAMS } from '../tasks/task-request.js'

/**
 * `tasks/result` of the legacy era: waits until the task is over, and answers as the call itself would have. A client that reads
 * streams waits as long as it likes, and is asked meanwhile what the agent asks; another one waits no longer than for any answer.
 */
export function tasksResult(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'tasks/result',
    eras: ['legacy'],
    params: TASK_PARAMS,
    async handle({ taskId }, call) {
      const { principal, gone, notices } = call
      const { call: record, task } = await findTask(String(taskId), principal, context)
      const { callId, trace, mode } = record
      const { limits, streams } = context.config
      const submitted = {
        callId,
        trace,
        mode,
        replayed: false,
        wait: (signal: StopSignal) => context.calls.wait(callId, signal),
      }
      if (task.ending === null) notices.begin()
      const waitMs = notices.areRead ? streams.maxAgeMs : limits.maxWaitMs
      const answered = { callId, traceId: trace.traceId, replayed: false, w3cTraceId: record.w3cTraceId }
      const awaitOnce = () =>
        awaitEnding(submitted, { waitMs, gone }, context).catch((thrown: unknown) => {
          throw tellWhereItGoesOn(thrown, submitted, call, false)
        })
      const related = { [META_KEYS.relatedTask]: { taskId: callId } }
      let ending = await awaitOnce()
      // Who only looks on may not answer.
      while (ending.event === 'input_requested' && trace.owner === principal.subject) {
        await askOnStream(submitted, call, context, related)
        ending = await awaitOnce()
      }
      const { _meta: meta, ...result } = toCallResult(ending, answered)
      return { kind: 'complete', result: { ...result, _meta: { ...meta, ...related } } }
    },
  })
}
