import {
  type Era,
  encodeMcpError,
  encodeTask,
  fromErrorObject,
  type JsonObject,
  toModernResult,
  traceparentOfCall,
} from '@synchub/protocol'
import { toCallResult } from '../../calls/call-answer.js'
import { SERVER_INFO } from '../server-identity.js'
import type { CallTask } from './call-task.js'

/**
 * A task as the revision of an era shows it. The legacy era calls a tool that failed a failed task; the modern one keeps `failed`
 * for errors of the protocol, and brings what came of the call along.
 */
export function encodeTaskState(era: Era, task: CallTask): JsonObject {
  const { inputRequests } = task
  const asked = inputRequests === undefined ? {} : { inputRequests }
  if (era === 'modern') return { ...encodeTask(era, task), ...asked, ...encodeEnding(task), _meta: metaOf(task) }
  const isToolFailure = task.ending?.event === 'complete' && task.ending.data.isError === true
  return { ...encodeTask(era, isToolFailure ? { ...task, status: 'failed' } : task), _meta: metaOf(task) }
}

/** A task that was just made, or that an earlier request with the same key has made: without what may have come of it already, which the next question tells. */
export function encodeNewTask(era: Era, task: CallTask, replayed: boolean): JsonObject {
  const members = encodeTask(era, task)
  const meta = { ...metaOf(task), ...(replayed ? { replayed } : {}) }
  return era === 'modern' ? { resultType: 'task', ...members, _meta: meta } : { task: members, _meta: meta }
}

function encodeEnding(task: CallTask): JsonObject {
  const { ending, taskId: callId, traceId, w3cTraceId, status } = task
  if (ending === null || status === 'cancelled') return {}
  if (ending.event === 'complete') {
    const answered = { callId, traceId, replayed: false, w3cTraceId }
    return { result: toModernResult({ ...toCallResult(ending, answered) }, SERVER_INFO) }
  }
  const error = fromErrorObject(ending.data.error)
  return { error: encodeMcpError(error.with({ callId, traceId }), 'modern', '/mcp') }
}

function metaOf({ taskId: callId, traceId, w3cTraceId }: CallTask): JsonObject {
  const traceparent = traceparentOfCall({ callId, traceId, w3cTraceId })
  return { callId, traceId, ...(traceparent === undefined ? {} : { traceparent }) }
}
