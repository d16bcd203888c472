/** How a case ended. `skipped`: it did not run, or its failure does not count yet (TAP's TODO). */
export type CaseOutcome = 'passed' | 'failed' | 'skipped'

/** What one case of a suite came to. */
export interface CaseResult {
  readonly name: string
  readonly outcome: CaseOutcome
  /** In milliseconds; absent where the case did not run or its command does not say. */
  readonly durationMs?: number
  /** As text: JSON for values. */
  readonly expected?: string
  readonly actual?: string
  /** Why it failed or was skipped. */
  readonly message?: string
}

/** How many cases ended how. */
export interface CaseCounts {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}
