import type { StepOutcome } from '../run/step-outcome.js'

/** A plan that was run to its end. */
export interface EndedPlan {
  readonly traceId: string
  readonly durationMs: number
  readonly outcomes: readonly StepOutcome[]
}
