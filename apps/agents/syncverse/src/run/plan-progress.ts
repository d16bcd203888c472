import type { ProgressUpdate } from '@synchub/agent-sdk'
import type { RunningStep } from './running-step.js'
import type { StepOutcome } from './step-outcome.js'

/** A hub that hears nothing of a call takes its agent for dead after a while; this is well below any sensible limit. */
const SIGN_OF_LIFE_MS = 10_000
/** Most steps that a message names; a plan may have more. */
const MAX_NAMED = 8
const MAX_NOTE_LENGTH = 120

/** Tells how far a plan is: one update for each step that has ended, of as many as there are. */
export class PlanProgress {
  readonly #total: number
  readonly #tell: (update: ProgressUpdate) => void
  readonly #timer: NodeJS.Timeout
  #ended = 0
  #running: readonly RunningStep[] = []

  constructor(total: number, tell: (update: ProgressUpdate) => void, signOfLifeMs = SIGN_OF_LIFE_MS) {
    this.#total = total
    this.#tell = tell
    // The value has not risen, so watchers see no such event; the hub sees that the work goes on.
    this.#timer = setInterval(() => this.#report('the plan goes on'), signOfLifeMs)
  }

  /** Takes what has just ended, and what runs now. */
  change(ended: readonly StepOutcome[], running: readonly RunningStep[]): void {
    this.#running = running
    if (ended.length === 0) this.#report(`${this.#total} ${this.#total === 1 ? 'step' : 'steps'}`)
    for (const outcome of ended) {
      this.#ended += 1
      this.#report(describe(outcome))
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #report(news: string): void {
    const named = this.#running.slice(0, MAX_NAMED).map(nameRunning)
    const more = this.#running.length - named.length
    const running = named.length === 0 ? '' : `; running: ${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
    this.#tell({ progress: this.#ended, total: this.#total, message: `${news}${running}` })
  }
}

function describe({ id, state, durationMs, skippedBecause, error }: StepOutcome): string {
  if (skippedBecause !== undefined) return `${id} skipped because of ${skippedBecause.join(', ')}`
  const why = error === undefined ? '' : ` with ${error.code}`
  return `${id} ${state.replace('_', ' ')}${why} after ${durationMs ?? 0} ms`
}

/** A step with what its agent told last: text from elsewhere, on one line and clipped. */
function nameRunning({ step, progress }: RunningStep): string {
  if (progress === undefined) return step.id
  const { progress: value, total, message = '' } = progress
  const share = total === undefined || total <= 0 ? '' : `${Math.floor(Math.min(1, value / total) * 100)}%`
  const note = message.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  const words = [share, note.slice(0, MAX_NOTE_LENGTH).replace(/[\uD800-\uDBFF]$/, '')].filter((word) => word !== '')
  return words.length === 0 ? step.id : `${step.id} (${words.join(' ')})`
}
