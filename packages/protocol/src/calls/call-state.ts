/** States that a call passes on its way. */
export const OPEN_STATES = ['received', 'queued', 'running', 'awaiting_input'] as const
/** States that a call ends in. */
export const ENDED_STATES = ['completed', 'failed', 'refused', 'cancelled', 'unknown'] as const

/** A state that a call ends in. */
export type EndedState = (typeof ENDED_STATES)[number]
/** The state of a call. */
export type CallState = (typeof OPEN_STATES)[number] | EndedState

/** Whether a call in this state can still change. */
export function isOpenState(state: CallState): boolean {
  return (OPEN_STATES as readonly CallState[]).includes(state)
}

/** A trace is running while any of its calls is; else it is the worst that one of them ended in. */
export type TraceState = 'running' | EndedState

/** Whether a person wants to know the reason of this ending first. */
export function isBadEnding(state: CallState): boolean {
  return state === 'failed' || state === 'unknown' || state === 'refused'
}

/** Worst first: what a person should look at. */
export const TRACE_STATE_ORDER: readonly EndedState[] = ['unknown', 'failed', 'cancelled', 'refused', 'completed']
