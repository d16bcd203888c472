/** Tells a watcher how far a research is, in percent. */
export type ReportProgress = (update: {
  readonly progress: number
  readonly total: number
  readonly message: string
}) => void

/** The stages of a research and the percent at which each begins. */
export const STAGE_START = {
  reading: 1,
  indexing: 36,
  querying: 52,
  ranking: 64,
  roundTable: 66,
  summary: 88,
  writing: 95,
} as const

/** Progress of one research: strictly rising (invariant 4), and not so often that watching becomes work. */
export class ResearchProgress {
  readonly #report: ReportProgress
  #last = 0

  constructor(report: ReportProgress) {
    this.#report = report
  }

  /** Tells a step that a watcher should hear of, whatever the percent. */
  step(percent: number, message: string): void {
    this.#tell(Math.max(percent, this.#last + 0.1), message)
  }

  /** Tells how far a step is, once it is a whole percent further. */
  advance(percent: number, message: string): void {
    if (percent >= this.#last + 1) this.#tell(percent, message)
  }

  /**
   * Tells that a step still goes on though nothing is further: the percent creeps towards `end` and never gets there, so that it rises
   * however long it takes.
   */
  stillAt(end: number, message: string): void {
    this.#last += Math.max(0, end - this.#last) / 50
    this.#report({ progress: this.#last, total: 100, message })
  }

  #tell(percent: number, message: string): void {
    this.#last = Math.round(percent * 10) / 10
    this.#report({ progress: this.#last, total: 100, message })
  }
}
