/** What a check of `synchub doctor` found. */
export interface CheckFinding {
  readonly name: string
  /** `skipped` where another failure makes it pointless. */
  readonly state: 'ok' | 'failed' | 'skipped'
  readonly detail: string
  /** What to do; set for each failure. */
  readonly remedy?: string
}

/** A check that found everything in order. */
export function passed(name: string, detail: string): CheckFinding {
  return { name, state: 'ok', detail }
}

/** A check that found a fault; every fault comes with what to do. */
export function failed(name: string, detail: string, remedy: string): CheckFinding {
  return { name, state: 'failed', detail, remedy }
}
