import { type CallRecord, type HubConfig, pendingRequests, toInstant } from '@synchub/core'
import {
  type CallState,
  fromErrorObject,
  type InputRequests,
  type ProgressView,
  type Task,
  type TaskStatus,
} from '@synchub/protocol'
import type { Ending } from '@synchub/redis'

/** A call as a task: the same record, in the words of MCP (design section 4). */
export interface CallTask extends Task {
  readonly traceId: string
  /** How it stands, in a sentence. */
  readonly statusMessage: string
  /** The trace as the caller's own tracing names it, where the traceId is no such name. */
  readonly w3cTraceId: string | undefined
  /** What is asked of the caller before the call goes on. */
  readonly inputRequests?: InputRequests
  /** How the call ended; null while it goes on. */
  readonly ending: Ending | null
}

/** What a task is while its call is in a state. */
const STATUS_OF: Readonly<Record<CallState, TaskStatus>> = {
  received: 'working',
  queued: 'working',
  running: 'working',
  awaiting_input: 'input_required',
  completed: 'completed',
  failed: 'failed',
  refused: 'failed',
  cancelled: 'cancelled',
  unknown: 'failed',
}

/** How often a client may ask, in milliseconds. */
const POLL_INTERVAL_MS = 1000

/** Shows a call as a task. A client that names no time may read it for as long as ended calls are kept. */
export function toCallTask(call: CallRecord, ending: Ending | null, { retention }: HubConfig): CallTask {
  const { callId, trace, state, createdAtMs, startedAtMs, endedAtMs, question } = call
  return {
    taskId: callId,
    traceId: trace.traceId,
    w3cTraceId: call.w3cTraceId,
    status: STATUS_OF[state],
    statusMessage: describe(call, ending),
    createdAt: toInstant(createdAtMs),
    lastUpdatedAt: toInstant(
      endedAtMs ?? Math.max(createdAtMs, startedAtMs ?? 0, call.progressAtMs ?? 0, question?.askedAtMs ?? 0),
    ),
    ttlMs: call.taskTtlMs ?? retention.maxAgeMs,
    pollIntervalMs: POLL_INTERVAL_MS,
    ...(state === 'awaiting_input' && question !== undefined ? { inputRequests: pendingRequests(question) } : {}),
    ending,
  }
}

/** Progress is told this way: the Tasks extension has no notifications for it. */
function describe({ state, progress, resolution }: CallRecord, ending: Ending | null): string {
  if (ending?.event === 'complete') return ending.data.isError === true ? 'The tool failed.' : 'The call is complete.'
  // What came later changes nothing of what the task has reported, but whoever asks now may know of it.
  const later = resolution === undefined ? '' : ` (found out since, by ${resolution.by}: ${resolution.reason})`
  if (ending !== null) return fromErrorObject(ending.data.error).message + later
  if (state === 'awaiting_input') return 'The agent asks its caller for input.'
  if (progress !== undefined) return describeProgress(progress)
  return state === 'running' ? 'The agent is at work.' : 'The call waits for its turn.'
}

function describeProgress({ progress, total, message }: ProgressView): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`
  return message === undefined ? count : `${count}: ${message}`
}
