import type { JsonObject, ProgressData } from '@synchub/protocol'
import type { PlanStep } from '../plan/plan.js'
import type { StepOutcome } from './step-outcome.js'

/** A step that runs now. */
export interface RunningStep {
  readonly step: PlanStep
  /** The last that its agent told. */
  progress?: ProgressData
}

/** How a step's call ended, and what later steps may refer to. */
export interface StepEnd {
  readonly outcome: StepOutcome
  /** The structured result, or the first text where there is none; undefined where there is neither, or it is too large. */
  readonly source?: unknown
}

/** Makes the call of a step and waits for its end. Rejects only when the signal aborts, or by a fault of our own. */
export type CallStep = (running: RunningStep, args: JsonObject, signal: AbortSignal) => Promise<StepEnd>
