import { clip, plainText } from '../report/plain-text.js'
import type { Redact } from '../report/redaction.js'
import type { CaseCounts, CaseResult } from './case-result.js'
import { SuiteFailure } from './suite-failure.js'

/** Told of each case that has finished: its result, how many have finished, and of how many where that is known. */
export type OnFinished = (result: CaseResult, finished: number, total: number | undefined) => void

/** What a log of cases needs. */
export interface CaseLogParts {
  readonly maxCases: number
  readonly redact: Redact
  readonly onFinished: OnFinished
}

const MAX_NAME_LENGTH = 300
const MAX_TEXT_LENGTH = 4_000

/** The cases of one run, in the order in which they finished; what a suite says of them is bounded and free of secrets here. */
export class CaseLog {
  readonly #parts: CaseLogParts
  readonly #cases: CaseResult[] = []
  #finished = 0
  #hasFailed = false
  #total: number | undefined

  constructor(parts: CaseLogParts) {
    this.#parts = parts
  }

  get cases(): readonly CaseResult[] {
    return this.#cases
  }

  /** How many cases have ended by themselves; those that were left out do not count. */
  get finished(): number {
    return this.#finished
  }

  /** How many cases there will be, as far as is known. */
  get total(): number | undefined {
    return this.#total
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  get counts(): CaseCounts {
    const count = (outcome: CaseResult['outcome']) => this.#cases.filter((entry) => entry.outcome === outcome).length
    return { total: this.#cases.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
  }

  /** Says how many cases there will be; undefined where what was known has turned out not to hold. */
  announce(total: number | undefined): void {
    this.#total = total
  }

  /**
   * Takes the result of a case that has finished.
   * @throws SuiteFailure when there are more of them than a run may have
   */
  finish(result: CaseResult): void {
    const bounded = this.#add(result)
    this.#finished += 1
    this.#hasFailed ||= result.outcome === 'failed'
    this.#parts.onFinished(bounded, this.#finished, this.#total)
  }

  /** Takes a case that will not be run; watchers are told of cases that finish only. */
  leaveOut(name: string, message: string): void {
    this.#add({ name, outcome: 'skipped', message })
  }

  #add(result: CaseResult): CaseResult {
    const { maxCases, redact } = this.#parts
    if (this.#cases.length >= maxCases) throw new SuiteFailure(`the suite has more than ${maxCases} cases`)
    const { durationMs, ...told } = result
    const bounded = {
      ...told,
      // A suite whose clock was set back, or that writes what is no number, has still ended as it says.
      ...(durationMs !== undefined && Number.isFinite(durationMs) && durationMs >= 0 ? { durationMs } : {}),
      name: clip(redact(plainText(result.name)), MAX_NAME_LENGTH),
      ...boundedTexts(result, redact),
    }
    this.#cases.push(bounded)
    return bounded
  }
}

function boundedTexts(result: CaseResult, redact: Redact): Partial<CaseResult> {
  const texts = (['expected', 'actual', 'message'] as const).flatMap((member) => {
    const text = result[member]
    return text === undefined ? [] : [[member, clip(redact(plainText(text)), MAX_TEXT_LENGTH)]]
  })
  return Object.fromEntries(texts)
}
