import { ToolError } from '@synchub/agent-sdk'
import type { JsonObject } from '@synchub/protocol'
import type { Plan, PlanStep } from '../plan/plan.js'
import { resolveReferences } from '../plan/reference.js'
import type { CallStep, RunningStep, StepEnd } from './running-step.js'
import { nameOf, type StepOutcome } from './step-outcome.js'

/** What a run of a plan works with. */
export interface PlanRunParts {
  readonly callStep: CallStep
  /** Aborts the waits for all steps; the calls themselves are the hub's. */
  readonly signal: AbortSignal
  /** Told after each change: the steps that have just ended, and those that run now. */
  onChange(ended: readonly StepOutcome[], running: readonly RunningStep[]): void
}

/**
 * Runs a plan: each step as soon as all that it depends on has completed, so many at a time as the plan allows. A step that does not
 * complete has its dependents skipped; independent ones go on, unless its policy stops the plan.
 * @returns the outcome of every step, in the order of the plan
 * @throws the signal's reason once it is aborted
 */
export async function runPlan(plan: Plan, parts: PlanRunParts): Promise<readonly StepOutcome[]> {
  const run = new PlanRun(plan, parts)
  return run.toEnd()
}

class PlanRun {
  readonly #plan: Plan
  readonly #parts: PlanRunParts
  readonly #outcomes = new Map<string, StepOutcome>()
  readonly #sources = new Map<string, unknown>()
  readonly #running = new Map<RunningStep, Promise<{ readonly running: RunningStep; readonly end: StepEnd }>>()
  #waiting: readonly PlanStep[]
  /** The step that stopped the plan. */
  #stoppedBy: string | undefined

  constructor(plan: Plan, parts: PlanRunParts) {
    this.#plan = plan
    this.#parts = parts
    this.#waiting = plan.steps
  }

  async toEnd(): Promise<readonly StepOutcome[]> {
    // A fault in one step ends the waits of the others too.
    const fault = new AbortController()
    const signal = AbortSignal.any([this.#parts.signal, fault.signal])
    try {
      for (let ended: readonly StepOutcome[] = []; ; ended = [await this.#nextEnd()]) {
        const skipped = this.#advance(signal)
        this.#parts.onChange([...ended, ...skipped], [...this.#running.keys()])
        if (this.#running.size === 0) break
      }
    } finally {
      fault.abort()
      await Promise.allSettled(this.#running.values())
    }
    return this.#plan.steps.flatMap(({ id }) => this.#outcomes.get(id) ?? [])
  }

  /** Skips what cannot run any more and begins what can; a skipped step may have others skipped. */
  #advance(signal: AbortSignal): readonly StepOutcome[] {
    const skipped: StepOutcome[] = []
    for (let before = -1; before !== this.#waiting.length; ) {
      before = this.#waiting.length
      this.#waiting = this.#waiting.filter((step) => {
        const because = this.#reasonsToSkip(step)
        if (because.length > 0) skipped.push(this.#keep({ ...nameOf(step), state: 'skipped', skippedBecause: because }))
        else if (!this.#mayBegin(step)) return true
        else this.#begin(step, signal)
        return false
      })
    }
    return skipped
  }

  #reasonsToSkip({ dependsOn }: PlanStep): readonly string[] {
    const failed = dependsOn.filter((id) => (this.#outcomes.get(id)?.state ?? 'completed') !== 'completed')
    return failed.length > 0 || this.#stoppedBy === undefined ? failed : [this.#stoppedBy]
  }

  #mayBegin({ dependsOn }: PlanStep): boolean {
    return this.#running.size < this.#plan.maxParallel && dependsOn.every((id) => this.#outcomes.has(id))
  }

  #begin(step: PlanStep, signal: AbortSignal): void {
    const running: RunningStep = { step }
    const ended = this.#call(running, signal).then((end) => ({ running, end }))
    this.#running.set(running, ended)
  }

  async #call(running: RunningStep, signal: AbortSignal): Promise<StepEnd> {
    let args: JsonObject
    try {
      args = resolveReferences(running.step.arguments, this.#sources)
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown
      return { outcome: { ...nameOf(running.step), state: 'failed', durationMs: 0, error: thrown } }
    }
    return this.#parts.callStep(running, args, signal)
  }

  async #nextEnd(): Promise<StepOutcome> {
    const { running, end } = await Promise.race(this.#running.values())
    this.#running.delete(running)
    const { id, onFailure } = running.step
    if (this.#plan.sources.has(id)) this.#sources.set(id, end.source)
    if (end.outcome.state !== 'completed' && onFailure === 'stop') this.#stoppedBy ??= id
    return this.#keep(end.outcome)
  }

  #keep(outcome: StepOutcome): StepOutcome {
    this.#outcomes.set(outcome.id, outcome)
    return outcome
  }
}
