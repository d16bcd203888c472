import { type AgentTool, defineTool, type ToolContext, ToolError } from '@synchub/agent-sdk'
import { createClient } from '@synchub/client'
import { RUN_PLAN_TOOL } from '../plan/plan.js'
import { PLAN_SCHEMA, type PlanArguments } from '../plan/plan-schema.js'
import { readPlan } from '../plan/read-plan.js'
import { OUTPUT_SCHEMA } from '../report/output-schema.js'
import { reportPlan } from '../report/plan-report.js'
import { PlanProgress } from '../run/plan-progress.js'
import { runPlan } from '../run/plan-run.js'
import { createCallStep } from '../run/step-call.js'

/** What the tool works with. */
export interface RunPlanParts {
  /** The hub that the steps go to. */
  readonly hubUrl: string
}

/**
 * The tool `syncverse_run_plan`: calls of other agents' tools, in parallel where they do not depend on each other.
 *
 * **Each step is a call of the hub**, made with the access token that the hub minted for this run: its trace is that of the plan, its
 * parent the plan's own call. The hub decides which agents it may reach (`delegates`), and cancels the steps with the plan.
 *
 * **It is safe to repeat**: a plan does nothing but calls, and each has a key made of the plan's callId and the step's id. Another
 * attempt finds the calls that an earlier one made, waits for those that run, and gets the answers of those that ended. The calls for
 * which the hub frees the key are those with which nothing was done.
 *
 * **Results are data.** A reference puts a value of a result into the arguments of a later step; tools and agents are named by the
 * caller's plan alone, and checked before the first step begins.
 */
export function runPlanTool({ hubUrl }: RunPlanParts): AgentTool {
  return defineTool<PlanArguments>({
    name: RUN_PLAN_TOOL,
    title: 'Run a plan',
    description:
      "Runs a plan of calls to other agents' tools: steps that depend on each other in order, the others in parallel. A step may take values from an earlier step's result by reference. Takes as long as its steps do. Tells of each step how it ended; says isError where any did not complete.",
    inputSchema: PLAN_SCHEMA,
    outputSchema: OUTPUT_SCHEMA,
    annotations: { openWorldHint: true },
    streams: true,
    async handler(args, ctx) {
      const plan = readPlan(args)
      requireAccess(ctx)
      const { traceId, signal, logger } = ctx
      const beganAtMs = performance.now()
      logger.info({ steps: plan.steps.length, attempt: ctx.attempt }, 'the plan begins')
      const client = createClient({ baseUrl: hubUrl, accessToken: () => ctx.accessToken })
      const progress = new PlanProgress(plan.steps.length, ctx.progress)
      try {
        const outcomes = await runPlan(plan, {
          callStep: createCallStep({ client, ctx }),
          signal,
          onChange: (ended, running) => progress.change(ended, running),
        })
        const durationMs = Math.round(performance.now() - beganAtMs)
        const states = Object.fromEntries(outcomes.map(({ id, state }) => [id, state]))
        logger.info({ durationMs, states }, 'the plan ended')
        return reportPlan({ traceId, durationMs, outcomes })
      } finally {
        progress.close()
      }
    },
  })
}

function requireAccess({ accessToken }: ToolContext): void {
  if (accessToken !== undefined) return
  throw new ToolError(
    'FORBIDDEN',
    'SyncVerse was given no access token, so it cannot call other agents: call it through a hub whose configuration lists them under "delegates" of SyncVerse',
  )
}
