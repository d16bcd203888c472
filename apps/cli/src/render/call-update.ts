import type { EventName, TraceEvent } from '@synchub/protocol'

/** Where a call stands, as a screen shows it. */
export type ShownState =
  | 'waiting'
  | 'running'
  | 'retrying'
  | 'completed'
  | 'failed'
  | 'tool_failed'
  | 'refused'
  | 'cancelled'
  | 'unknown'
  | 'resolved'

/** What is newly known of a call. Parts that are absent stay as they were. */
export interface CallUpdate {
  readonly callId: string
  readonly tool: string
  /** The call that it was made for. */
  readonly parentCallId?: string
  readonly state: ShownState
  /** When it was so, in ms since 1970 by the hub's clock; absent where that is not known. */
  readonly atMs?: number
  readonly progress?: number
  readonly total?: number
  readonly message?: string
}

/** Whether nothing more comes of a call in this state. */
export function hasEnded(state: ShownState): boolean {
  return state === 'completed' || hasEndedBadly(state)
}

/** Whether a call in this state ended without the result that was asked for. */
export function hasEndedBadly(state: ShownState): boolean {
  return state !== 'completed' && state !== 'waiting' && state !== 'running' && state !== 'retrying'
}

/** A new event must be given a state here before this compiles. */
const STATE_AFTER: Readonly<Record<EventName, ShownState>> = {
  received: 'waiting',
  accepted: 'waiting',
  started: 'running',
  progress: 'running',
  retrying: 'retrying',
  handed_back: 'waiting',
  input_requested: 'waiting',
  input_received: 'waiting',
  complete: 'completed',
  failed: 'failed',
  refused: 'refused',
  cancelled: 'cancelled',
  unknown: 'unknown',
  resolved: 'resolved',
}

/** What an event tells of its call. */
export function updateOfEvent(item: TraceEvent): CallUpdate {
  const { callId, tool, at } = item.data
  const update = { callId, tool, state: STATE_AFTER[item.event], atMs: Date.parse(at) }
  switch (item.event) {
    case 'progress': {
      const { progress, total, message } = item.data
      return {
        ...update,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      }
    }
    case 'started':
      return { ...update, message: `attempt ${item.data.attempt}` }
    case 'retrying':
      return { ...update, message: item.data.reason }
    case 'complete':
      return item.data.isError
        ? { ...update, state: 'tool_failed', message: 'the tool reports a failure' }
        : {
            ...update,
            progress: item.data.progress,
            total: item.data.total,
            message: `${item.data.executionTimeMs} ms`,
          }
    case 'failed':
    case 'refused':
    case 'cancelled':
    case 'unknown':
      return { ...update, message: item.data.error.message }
    case 'received': {
      const { caller, agent, parentCallId } = item.data
      const parent = parentCallId === undefined ? {} : { parentCallId }
      return { ...update, ...parent, message: `from ${caller} to ${agent}` }
    }
    case 'resolved':
      return { ...update, message: `by ${item.data.by}: ${item.data.reason}` }
    case 'input_requested':
      return { ...update, message: 'the agent asks its caller for input' }
    case 'accepted':
    case 'handed_back':
    case 'input_received':
      return update
  }
}
