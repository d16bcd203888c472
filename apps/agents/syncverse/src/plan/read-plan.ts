import type { JsonObject } from '@synchub/protocol'
import { findCycle } from './cycle.js'
import { invalidPlan } from './invalid-plan.js'
import { type Plan, type PlanStep, RUN_PLAN_TOOL } from './plan.js'
import { DEFAULT_PARALLEL, type PlanArguments } from './plan-schema.js'
import { findReferences } from './reference.js'

/** Largest arguments of one step, in bytes of JSON. */
const MAX_ARGUMENT_BYTES = 256 * 1024

type StepArguments = PlanArguments['steps'][number]

/**
 * Checks what the schema of a plan cannot say, before any step begins.
 * @throws ToolError INVALID_PARAMS that names the place and what to do about it
 */
export function readPlan({ steps, maxParallel = DEFAULT_PARALLEL }: PlanArguments): Plan {
  const places = placesOf(steps)
  const sources = new Set<string>()
  const read = steps.map((step, at): PlanStep => {
    const { id, tool, agent, arguments: args = {}, dependsOn = [], onFailure = 'continue' } = step
    refuseInnerPlan(tool, at)
    const references = findReferences(args, `steps.${at}.arguments`)
    refuseLarge(args, at)
    for (const [index, name] of dependsOn.entries()) requireStep(name, `steps.${at}.dependsOn.${index}`, id, places)
    for (const { from, path } of references) requireStep(from, `${path}.$from`, id, places)
    for (const { from } of references) sources.add(from)
    const all = [...new Set([...dependsOn, ...references.map(({ from }) => from)])]
    return { id, tool, ...(agent === undefined ? {} : { agent }), arguments: args, dependsOn: all, onFailure }
  })
  refuseCycle(read, places)
  return { steps: read, maxParallel, sources }
}

/** Where each step stands, by its id. */
function placesOf(steps: readonly StepArguments[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [at, { id }] of steps.entries()) {
    const other = places.get(id)
    if (other !== undefined) {
      throw invalidPlan(`steps.${at}.id`, 'an id of its own', `steps.${other} is called ${id} too; rename one of them`)
    }
    places.set(id, at)
  }
  return places
}

/** Steps of an inner plan could be data of another step's result; and plans in plans would have no bound. */
function refuseInnerPlan(tool: string, at: number): void {
  if (tool !== RUN_PLAN_TOOL && !tool.endsWith(`.${RUN_PLAN_TOOL}`)) return
  throw invalidPlan(`steps.${at}.tool`, 'a tool of another agent', 'put the steps of the inner plan into this one')
}

function refuseLarge(args: JsonObject, at: number): void {
  if (Buffer.byteLength(JSON.stringify(args)) <= MAX_ARGUMENT_BYTES) return
  const expected = `at most ${MAX_ARGUMENT_BYTES} bytes of JSON`
  throw invalidPlan(`steps.${at}.arguments`, expected, 'pass large values on by reference, from step to step')
}

function requireStep(name: string, path: string, own: string, places: ReadonlyMap<string, number>): void {
  if (name === own) throw invalidPlan(path, 'another step', 'a step cannot wait for itself')
  if (places.has(name)) return
  throw invalidPlan(path, 'the id of a step', `the steps of this plan are ${[...places.keys()].join(', ')}`)
}

function refuseCycle(steps: readonly PlanStep[], places: ReadonlyMap<string, number>): void {
  const cycle = findCycle(steps)
  if (cycle === undefined) return
  const [first = ''] = cycle
  const chain = [...cycle, first].join(' waits for ')
  const place = `steps.${places.get(first)}`
  throw invalidPlan(place, 'a step that can begin', `${chain}; take one of these dependencies or references away`)
}
