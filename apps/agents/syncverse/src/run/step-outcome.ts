import type { EndedState, HubError } from '@synchub/protocol'
import type { PlanStep } from '../plan/plan.js'

/**
 * How a step ended. `tool_failed`: the tool ran and says that it failed. `skipped`: a step that it depends on did not complete, or the
 * plan was stopped before it began. The others are the end of its call (`refused` also where there is no call).
 */
export type StepState = 'tool_failed' | 'skipped' | EndedState

/** What is kept of a step that has ended. */
export interface StepOutcome {
  readonly id: string
  readonly tool: string
  readonly agent?: string
  readonly state: StepState
  readonly callId?: string
  /** From the request to the hub until its end was known, in ms; a step that was skipped has none. */
  readonly durationMs?: number
  /** True where the call was made by an earlier attempt of this plan. */
  readonly replayed?: true
  /** The structured result, where it is small; else its size in bytes of JSON. */
  readonly result?: unknown
  readonly resultBytes?: number
  /** The first text of the result, clipped. */
  readonly text?: string
  readonly error?: HubError
  /** Steps on account of which it was skipped. */
  readonly skippedBecause?: readonly string[]
}

/** What names a step in its outcome. */
export function nameOf({ id, tool, agent }: PlanStep): Pick<StepOutcome, 'id' | 'tool' | 'agent'> {
  return { id, tool, ...(agent === undefined ? {} : { agent }) }
}
