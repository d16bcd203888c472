import { describe, expect, test } from '@jest/globals'
import { ToolError } from '@synchub/agent-sdk'
import type { JsonObject } from '@synchub/protocol'
import type { PlanArguments } from '../../src/plan/plan-schema.js'
import { readPlan } from '../../src/plan/read-plan.js'
import { runPlan } from '../../src/run/plan-run.js'
import type { StepEnd } from '../../src/run/running-step.js'
import type { StepOutcome, StepState } from '../../src/run/step-outcome.js'

type StepText = Omit<PlanArguments['steps'][number], 'tool'>

interface OpenStep {
  readonly args: JsonObject
  end(state?: StepState, source?: unknown): Promise<void>
}

/** A plan whose steps end when the test says so. */
class SteeredPlan {
  readonly #controller = new AbortController()
  readonly #open = new Map<string, OpenStep>()
  /** Every change: what ended, then what runs. */
  readonly changes: string[] = []
  readonly ended: Promise<readonly StepOutcome[]>

  constructor(steps: readonly StepText[], more: Pick<PlanArguments, 'maxParallel'> = {}) {
    const plan = readPlan({ steps: steps.map((step) => ({ tool: 'tool', ...step })), ...more })
    this.ended = runPlan(plan, {
      signal: this.#controller.signal,
      onChange: (ended, running) => {
        const words = ended.map(({ id, state, skippedBecause = [] }) => [id, state, ...skippedBecause].join(' '))
        this.changes.push(`${words.join(', ')} | ${running.map(({ step }) => step.id).join(' ')}`)
      },
      callStep: ({ step }, args, signal) =>
        new Promise<StepEnd>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          const end: OpenStep['end'] = async (state = 'completed', source) => {
            this.#open.delete(step.id)
            resolve({ outcome: { id: step.id, tool: step.tool, state }, source })
            await settled()
          }
          this.#open.set(step.id, { args, end })
        }),
    })
    this.ended.catch(() => undefined)
  }

  get running(): string[] {
    return [...this.#open.keys()]
  }

  step(id: string): OpenStep {
    const open = this.#open.get(id)
    if (open === undefined) throw new Error(`the step ${id} does not run`)
    return open
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  async states(): Promise<Record<string, StepState>> {
    return Object.fromEntries((await this.ended).map(({ id, state }) => [id, state]))
  }
}

/** Lets everything go on that only waits for promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

async function begin(...args: ConstructorParameters<typeof SteeredPlan>): Promise<SteeredPlan> {
  const plan = new SteeredPlan(...args)
  await settled()
  return plan
}

describe('a plan that runs', () => {
  test('begins each step as soon as what it depends on has completed, and no earlier', async () => {
    const plan = await begin([
      { id: 'd', dependsOn: ['b', 'c'] },
      { id: 'a' },
      { id: 'b', dependsOn: ['a'] },
      { id: 'c' },
    ])
    expect(plan.running).toEqual(['a', 'c'])
    await plan.step('a').end()
    expect(plan.running).toEqual(['c', 'b'])
    await plan.step('b').end()
    expect(plan.running).toEqual(['c'])
    await plan.step('c').end()
    expect(plan.running).toEqual(['d'])
    await plan.step('d').end()
    expect(plan.changes).toEqual([
      ' | a c',
      'a completed | c b',
      'b completed | c',
      'c completed | d',
      'd completed | ',
    ])
    expect((await plan.ended).map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c'])
  })

  test('runs at most as many at a time as it allows', async () => {
    const plan = await begin([{ id: 'a' }, { id: 'b' }, { id: 'c' }], { maxParallel: 2 })
    expect(plan.running).toEqual(['a', 'b'])
    await plan.step('b').end()
    expect(plan.running).toEqual(['a', 'c'])
    await plan.step('a').end()
    await plan.step('c').end()
    expect(await plan.states()).toEqual({ a: 'completed', b: 'completed', c: 'completed' })
  })

  test('passes results on by reference', async () => {
    const plan = await begin([{ id: 'b', arguments: { x: { $from: 'a', path: '/y' } } }, { id: 'a' }])
    await plan.step('a').end('completed', { y: [1, 2] })
    expect(plan.step('b').args).toEqual({ x: [1, 2] })
    await plan.step('b').end()
    expect(await plan.states()).toEqual({ a: 'completed', b: 'completed' })
  })

  test.each<StepState>(['tool_failed', 'failed', 'refused', 'cancelled', 'unknown'])(
    'skips what depends on a step that ended %s, also at a distance, and lets independent steps go on',
    async (state) => {
      const plan = await begin([
        { id: 'far', dependsOn: ['near'] },
        { id: 'a' },
        { id: 'near', dependsOn: ['a', 'b'] },
        { id: 'b' },
      ])
      await plan.step('a').end(state)
      expect(plan.running).toEqual(['b'])
      await plan.step('b').end()
      expect(await plan.states()).toEqual({ a: state, b: 'completed', near: 'skipped', far: 'skipped' })
      expect(plan.changes[1]).toBe(`a ${state}, near skipped a, far skipped near | b`)
    },
  )

  test('begins nothing more after a step that stops it, and lets what runs end', async () => {
    const plan = await begin([{ id: 'a', onFailure: 'stop' }, { id: 'b' }, { id: 'c' }], { maxParallel: 2 })
    await plan.step('a').end('failed')
    expect(plan.running).toEqual(['b'])
    await plan.step('b').end()
    expect(await plan.states()).toEqual({ a: 'failed', b: 'completed', c: 'skipped' })
    expect(plan.changes[1]).toBe('a failed, c skipped a | b')
  })

  test('fails a step whose reference has no value, without calling its tool', async () => {
    const plan = await begin([
      { id: 'a' },
      { id: 'b', arguments: { x: { $from: 'a', path: '/none' } } },
      { id: 'c', dependsOn: ['b'] },
    ])
    await plan.step('a').end('completed', {})
    expect(await plan.ended).toMatchObject([
      { state: 'completed' },
      { state: 'failed', error: { code: 'INVALID_PARAMS' } },
      { state: 'skipped', skippedBecause: ['b'] },
    ])
  })

  test('gives up all waits at once when it is aborted', async () => {
    const plan = await begin([{ id: 'a' }, { id: 'b' }, { id: 'c', dependsOn: ['a'] }])
    plan.abort(new ToolError('CANCELLED', 'enough'))
    await expect(plan.ended).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(plan.running).toEqual(['a', 'b'])
  })
})
