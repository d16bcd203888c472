import type { CallState } from '@synchub/protocol'

/** Events by which a call is changed, and what they do, written down once more: the table that is tested is not asked. */
export const MOVES = {
  started: { from: ['queued', 'running'], to: 'running' },
  retried: { from: ['running'], to: 'running' },
  progress: { from: ['running'], to: 'running' },
  handed_back: { from: ['running'], to: 'queued' },
  complete: { from: ['running'], to: 'completed' },
  failed: { from: ['queued', 'running'], to: 'failed' },
  cancelled: { from: ['queued', 'running'], to: 'cancelled' },
  unknown: { from: ['queued', 'running'], to: 'unknown' },
} as const satisfies Record<string, { from: readonly CallState[]; to: CallState }>

export type Move = keyof typeof MOVES

/** A call as simply as it can be thought of. */
export interface CallModel {
  readonly callId: string
  state: CallState
  attempt: number
  /** Tells this attempt from another of the same number. */
  fence: string
  /** Of this attempt; undefined before its first report. */
  progress: number | undefined
}

/** What a step should answer. */
export type Expected = 'changed' | 'not-allowed' | 'fenced' | 'not-rising'

/** A step as somebody tries it: `attempt` and `fence` are of the one that it holds, the first absent for who holds none. */
export interface Step {
  readonly move: Move
  readonly attempt: number | undefined
  readonly fence: string
  /** Of the attempt that it opens, where it does. */
  readonly nextFence: string
  readonly progress: number
}

/** Makes the step in the model; says what the store should have answered. */
export function makeStep(call: CallModel, { move, attempt, fence, nextFence, progress }: Step): Expected {
  if (attempt !== undefined && (attempt !== call.attempt || fence !== call.fence)) return 'fenced'
  const { from, to } = MOVES[move]
  if (!(from as readonly CallState[]).includes(call.state)) return 'not-allowed'
  if (move === 'progress') {
    if (call.progress !== undefined && progress <= call.progress) return 'not-rising'
    call.progress = progress
  }
  if (move === 'started' || move === 'retried') {
    call.attempt += 1
    call.fence = nextFence
    call.progress = undefined
  }
  call.state = to
  return 'changed'
}

/** Names of the events that a step appends. */
export function eventsOf(move: Move): readonly string[] {
  return move === 'retried' ? ['retrying', 'started'] : [move]
}
