import type { CaseCounts, CaseResult } from './case-result.js'

/**
 * How a suite ended. `passed` and `failed`: it was run and this is what it says; `error`: it could not be run to its end, so it says
 * nothing.
 */
export type SuiteOutcome = 'passed' | 'failed' | 'error'

/** All that a run came to; answer and report are written from it. */
export interface SuiteResult {
  readonly suite: string
  readonly outcome: SuiteOutcome
  /** Why the suite could not be run to its end. */
  readonly reason?: string
  /** Sentences about the run as a whole. */
  readonly remarks: readonly string[]
  readonly counts: CaseCounts
  /** Of the whole run, in milliseconds. */
  readonly durationMs: number
  /** In the order in which they finished. */
  readonly cases: readonly CaseResult[]
}
