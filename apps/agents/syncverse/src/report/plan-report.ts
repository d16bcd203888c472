import type { HandlerResult } from '@synchub/agent-sdk'
import { type JsonObject, toErrorObject } from '@synchub/protocol'
import type { StepOutcome, StepState } from '../run/step-outcome.js'
import type { EndedPlan } from './ended-plan.js'
import { summarizePlan } from './summary.js'

/** The answer of `syncverse_run_plan`. It says `isError` where any step did not complete, so that nobody takes a part for the whole. */
export function reportPlan(plan: EndedPlan): HandlerResult {
  const { traceId, durationMs, outcomes } = plan
  const counts: Partial<Record<StepState, number>> = {}
  for (const { state } of outcomes) counts[state] = (counts[state] ?? 0) + 1
  const isWhole = counts.completed === outcomes.length
  return {
    content: [{ type: 'text', text: summarizePlan(plan, counts) }],
    structuredContent: {
      outcome: isWhole ? 'completed' : 'incomplete',
      traceId,
      counts,
      durationMs,
      steps: outcomes.map(showStep),
    },
    isError: !isWhole,
  }
}

function showStep({ error, ...rest }: StepOutcome): JsonObject {
  return { ...rest, ...(error === undefined ? {} : { error: toErrorObject(error, `/tools/call/${rest.tool}`) }) }
}
