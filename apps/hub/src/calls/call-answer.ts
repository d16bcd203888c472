import {
  type CallResult,
  fromErrorObject,
  HubError,
  parseTokenUsage,
  type TracedCall,
  traceparentOfCall,
} from '@synchub/protocol'
import type { Ending } from '@synchub/redis'

/** Which call an answer belongs to. */
export interface AnsweredCall extends TracedCall {
  readonly replayed: boolean
}

/**
 * A call's end as it is answered: a result (S0.3), or the error that the trace holds.
 * @throws HubError of a call that did not complete
 */
export function toCallResult({ event, data }: Ending, answered: AnsweredCall): CallResult {
  const { callId, traceId } = answered
  const replayed = answered.replayed ? { replayed: answered.replayed } : {}
  if (event === 'input_requested') {
    const reason = 'the call goes on once its caller has answered what the agent asks, which MCP clients can do'
    throw new HubError('DEADLINE_EXCEEDED', reason, { callId, traceId, ...replayed })
  }
  // The failure that the trace holds, with where it is found.
  if (event !== 'complete') throw fromErrorObject(data.error).with({ callId, traceId, ...replayed })
  const { content, result, isError, executionTimeMs, tokenUsage } = data
  const usage = parseTokenUsage(tokenUsage)
  const traceparent = traceparentOfCall(answered)
  return {
    content: Array.isArray(content) ? content : [],
    ...(result === undefined ? {} : { structuredContent: result }),
    isError: isError === true,
    _meta: {
      callId,
      traceId,
      executionTimeMs: Number(executionTimeMs),
      ...(usage === undefined ? {} : { tokenUsage: usage }),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...replayed,
    },
  }
}
