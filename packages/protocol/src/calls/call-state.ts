/** States that a call passes on its way. */
export const OPEN_STATES = ['received', 'queued', 'running', 'awaiting_input'] as const
/** States that a call ends in. */
export const ENDED_STATES = ['completed', 'failed', 'refused', 'cancelled', 'unknown'] as const

/** A state that a call ends in. */
export type EndedState = (typeof ENDED_STATES)[number]
/** The state of a call. */
export type CallState = (typeof OPEN_STATES)[number] | EndedState

/** Whether a call in this state can still change. */
export function isOpenState(state: CallState): state is (typeof OPEN_STATES)[number] {
  return (OPEN_STATES as readonly CallState[]).includes(state)
}

/** How a call counts in its trace: as it ended, but apart where it completed and its tool answered that it failed (`isError`). */
export type CallEnding = EndedState | 'tool_failed'

/** A trace is running while any of its calls is; else it is the worst that one of them ended in. */
export type TraceState = 'running' | CallEnding

/** Worst first: what a person should look at. */
export const TRACE_STATE_ORDER: readonly CallEnding[] = [
  'unknown',
  'failed',
  'tool_failed',
  'cancelled',
  'refused',
  'completed',
]

/** The states of a trace, as one is asked which of them to list. */
export const TRACE_STATES: readonly TraceState[] = ['running', ...TRACE_STATE_ORDER.toReversed()]

/** Endings of which a person wants to know the reason first. */
export const BAD_ENDINGS: readonly CallEnding[] = ['unknown', 'failed', 'tool_failed', 'refused']

/** Whether an ending is one of {@link BAD_ENDINGS}. */
export function isBadEnding(state: CallState | TraceState): boolean {
  return (BAD_ENDINGS as readonly (CallState | TraceState)[]).includes(state)
}

/** How a call stands for people: as its state says, but for a tool that answered that it failed, which nobody should take for a success. */
export function shownStateOf<State extends CallState>({
  state,
  isError,
}: {
  readonly state: State
  readonly isError?: boolean
}): State | 'tool_failed' {
  return state === 'completed' && isError === true ? 'tool_failed' : state
}
