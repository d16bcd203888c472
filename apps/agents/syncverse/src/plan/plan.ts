import type { JsonObject } from '@synchub/protocol'

/** What a step that does not complete means for the rest of its plan, beside that its dependents are skipped. */
export type FailurePolicy = 'continue' | 'stop'

/** One call of a plan. */
export interface PlanStep {
  readonly id: string
  readonly tool: string
  /** The agent to ask, where several have a tool of this name. */
  readonly agent?: string
  /** As the caller wrote them: references in them are not resolved yet. */
  readonly arguments: JsonObject
  /** Ids of all steps that must complete before: those that it names, and those that its arguments refer to. */
  readonly dependsOn: readonly string[]
  readonly onFailure: FailurePolicy
}

/** A plan that has passed all checks: ids are unique, every dependency exists, and none leads back to where it began. */
export interface Plan {
  /** In the order in which the caller wrote them. */
  readonly steps: readonly PlanStep[]
  /** Most steps that run at the same time. */
  readonly maxParallel: number
  /** Ids of the steps whose results are referred to. */
  readonly sources: ReadonlySet<string>
}

/** The name of the tool that runs plans; a step cannot ask for it. */
export const RUN_PLAN_TOOL = 'syncverse_run_plan'
