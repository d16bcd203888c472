import { type CallResult, fromErrorObject, type HubError, parseTokenUsage } from '@synchub/protocol'
import type { Ending } from '@synchub/redis'

/** Which call an answer belongs to. */
export interface AnsweredCall {
  readonly callId: string
  readonly traceId: string
  readonly replayed: boolean
}

/**
 * A call's end as the native surface answers it: a result (S0.3), or the error that the trace holds.
 * @throws HubError of a call that did not complete
 */
export function toCallResult({ event, data }: Ending, { callId, traceId, replayed }: AnsweredCall): CallResult {
  if (event !== 'complete') throw toCallError(data.error, { callId, traceId })
  const { content, result, isError, executionTimeMs, tokenUsage } = data
  const usage = parseTokenUsage(tokenUsage)
  return {
    content: Array.isArray(content) ? content : [],
    ...(result === undefined ? {} : { structuredContent: result }),
    isError: isError === true,
    _meta: {
      callId,
      traceId,
      executionTimeMs: Number(executionTimeMs),
      ...(usage === undefined ? {} : { tokenUsage: usage }),
      ...(replayed ? { replayed } : {}),
    },
  }
}

/** The failure that a trace holds, with where it is found. */
function toCallError(error: unknown, place: { readonly callId: string; readonly traceId: string }): HubError {
  return fromErrorObject(error).with(place)
}
