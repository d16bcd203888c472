import type { JsonObject } from '@synchub/protocol'
import type { FailurePolicy } from './plan.js'

/** A plan as a caller sends it, once it keeps {@link PLAN_SCHEMA}. */
export interface PlanArguments {
  readonly steps: readonly {
    readonly id: string
    readonly tool: string
    readonly agent?: string
    readonly arguments?: JsonObject
    readonly dependsOn?: readonly string[]
    readonly onFailure?: FailurePolicy
  }[]
  readonly maxParallel?: number
}

/** Most steps of a plan. */
const MAX_STEPS = 50
const MAX_PARALLEL = 16

/** How many steps run at the same time where the caller says nothing. */
export const DEFAULT_PARALLEL = 4

const STEP_ID = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' }

const STEP = {
  type: 'object',
  properties: {
    id: { ...STEP_ID, description: 'Name of the step within this plan.' },
    tool: {
      type: 'string',
      pattern: '^[A-Za-z0-9._/-]{1,128}$',
      description: 'The tool to call, as tools/list of the hub names it.',
    },
    agent: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'The agent to ask, where several have a tool of this name.',
    },
    arguments: {
      type: 'object',
      description:
        'Arguments of the tool. Anywhere in them {"$from": "stepId", "path": "/json/pointer"} stands for a value of that step\'s result: of its structuredContent, or its first text where it has none. Without path it is the whole.',
    },
    dependsOn: {
      type: 'array',
      items: STEP_ID,
      maxItems: MAX_STEPS,
      uniqueItems: true,
      description:
        'Steps that must complete before this one begins. Those that its arguments refer to need no mention.',
    },
    onFailure: {
      enum: ['continue', 'stop'],
      default: 'continue',
      description:
        'When this step does not complete, the steps that depend on it are skipped. continue: the others go on. stop: no step begins any more; those that run go on to their ends.',
    },
  },
  required: ['id', 'tool'],
  additionalProperties: false,
}

/** JSON Schema of a plan. What it cannot say (unique ids, dependencies, references, depth, size) is checked by `readPlan`. */
export const PLAN_SCHEMA = {
  type: 'object',
  properties: {
    steps: { type: 'array', items: STEP, minItems: 1, maxItems: MAX_STEPS },
    maxParallel: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_PARALLEL,
      default: DEFAULT_PARALLEL,
      description: 'Most steps that run at the same time.',
    },
  },
  required: ['steps'],
  additionalProperties: false,
}
