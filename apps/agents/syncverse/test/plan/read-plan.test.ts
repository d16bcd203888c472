import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { RUN_PLAN_TOOL } from '../../src/plan/plan.js'
import type { PlanArguments } from '../../src/plan/plan-schema.js'
import { readPlan } from '../../src/plan/read-plan.js'
import { syncVerse } from '../sync-verse.js'

const step = (id: string, more: JsonObject = {}) => ({ id, tool: 'tool', ...more })
const from = (id: string, path?: string) => ({ $from: id, ...(path === undefined ? {} : { path }) })
const nested = (depth: number): JsonObject => (depth === 0 ? {} : { in: nested(depth - 1) })

const planOf = (steps: readonly JsonObject[], more: JsonObject = {}) =>
  ({ steps, ...more }) as JsonObject & PlanArguments

describe('a plan that is no plan', () => {
  test.each<[string, JsonObject, string, string]>([
    ['no steps', {}, 'steps', "'steps' is required"],
    ['an empty list', planOf([]), 'steps', 'steps must have at least 1 item'],
    ['more than 50 steps', planOf(Array.from({ length: 51 }, (_, at) => step(`s${at}`))), 'steps', '50 items'],
    ['a step without a tool', planOf([{ id: 'a' }]), 'steps.0.tool', 'is required'],
    ['an id with a dot', planOf([step('a.b')]), 'steps.0.id', 'text that matches'],
    ['an id of 65 characters', planOf([step('a'.repeat(65))]), 'steps.0.id', 'text that matches'],
    ['a tool that is not named but referred to', planOf([step('a', { tool: from('b') })]), 'steps.0.tool', 'a string'],
    ['an agent that is referred to', planOf([step('a', { agent: from('b') })]), 'steps.0.agent', 'a string'],
    ['a member that does not exist', planOf([step('a', { retry: 3 })]), 'steps.0.retry', 'not a known property'],
    ['another policy', planOf([step('a', { onFailure: 'retry' })]), 'steps.0.onFailure', '["continue","stop"]'],
    ['no places', planOf([step('a')], { maxParallel: 0 }), 'maxParallel', '>= 1'],
    ['too many places', planOf([step('a')], { maxParallel: 17 }), 'maxParallel', '<= 16'],
    [
      'the same dependency twice',
      planOf([step('a'), step('b', { dependsOn: ['a', 'a'] })]),
      'steps.1.dependsOn',
      'dup',
    ],
    ['two steps of one name', planOf([step('a'), step('a')]), 'steps.1.id', 'steps.0 is called a too'],
    [
      'a plan in a plan',
      planOf([step('a', { tool: RUN_PLAN_TOOL })]),
      'steps.0.tool',
      'put the steps of the inner plan',
    ],
    [
      'one by its agent',
      planOf([step('a', { tool: `Verse.${RUN_PLAN_TOOL}` })]),
      'steps.0.tool',
      'a tool of another agent',
    ],
    ['an unknown dependency', planOf([step('a'), step('b', { dependsOn: ['c'] })]), 'steps.1.dependsOn.0', 'are a, b'],
    ['a step that waits for itself', planOf([step('a', { dependsOn: ['a'] })]), 'steps.0.dependsOn.0', 'for itself'],
    [
      'a reference to an unknown step',
      planOf([step('a', { arguments: { x: [from('b')] } })]),
      'steps.0.arguments.x.0.$from',
      'the id of a step',
    ],
    [
      'a reference to itself',
      planOf([step('a', { arguments: { x: from('a') } })]),
      'steps.0.arguments.x.$from',
      'for itself',
    ],
    [
      'a reference with more members',
      planOf([step('a', { arguments: { x: { ...from('b'), y: 1 } } })]),
      'steps.0.arguments.x.y',
      '$from and path alone',
    ],
    [
      'a reference to a number',
      planOf([step('a', { arguments: { x: { $from: 1 } } })]),
      'steps.0.arguments.x.$from',
      'a string',
    ],
    [
      'a path that is no pointer',
      planOf([step('a'), step('b', { arguments: { x: from('a', 'y') } })]),
      'steps.1.arguments.x.path',
      'RFC 6901',
    ],
    [
      'too many references',
      planOf([step('a'), step('b', { arguments: { x: Array(17).fill(from('a')) } })]),
      'steps.1.arguments.x.16',
      '16 references',
    ],
    [
      'arguments that nest too deep',
      planOf([step('a', { arguments: nested(40) })]),
      `steps.0.arguments${'.in'.repeat(32)}`,
      '32 deep',
    ],
    [
      'arguments that are too large',
      planOf([step('a', { arguments: { x: 'x'.repeat(262_144) } })]),
      'steps.0.arguments',
      'by reference',
    ],
    [
      'a circle of dependencies and references',
      planOf([
        step('z'),
        step('a', { dependsOn: ['c'] }),
        step('b', { arguments: { x: from('a') } }),
        step('c', { dependsOn: ['b', 'z'] }),
      ]),
      'steps.1',
      'a waits for c waits for b waits for a; take one of these',
    ],
  ])('is refused for %s, naming place and remedy', async (_what, plan, path, words) => {
    const refused = await syncVerse()
      .call(RUN_PLAN_TOOL, plan, { accessToken: 'run-token' })
      .catch((thrown) => thrown)
    expect(refused).toMatchObject({ code: 'INVALID_PARAMS', details: { path } })
    expect(refused.reason).toContain(path)
    expect(refused.reason).toContain(words)
  })
})

describe('a plan', () => {
  test('waits for what it refers to as for what it names', () => {
    const plan = readPlan(
      planOf([
        step('a'),
        step('b'),
        step('c', { dependsOn: ['b'], arguments: { x: [{ y: from('a', '/z') }, from('b')] } }),
      ]),
    )
    expect(plan.steps[2]?.dependsOn).toEqual(['b', 'a'])
    expect(plan.sources).toEqual(new Set(['a', 'b']))
    expect(plan.maxParallel).toBe(4)
  })

  test('may depend on steps that stand after it', () => {
    expect(readPlan(planOf([step('a', { dependsOn: ['b'] }), step('b')])).steps).toHaveLength(2)
  })
})
