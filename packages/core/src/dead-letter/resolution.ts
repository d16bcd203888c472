/** What became of a call that the hub had to give up, as somebody found out who looked at the agent's side. */
export interface Resolution {
  readonly atMs: number
  /** Subject of the person, or name of the agent that answered after all. */
  readonly by: string
  readonly reason: string
}

/** What came of resolving a call. */
export interface ResolveOutcome {
  readonly resolution: Resolution
  /** False when it had been resolved before: that resolution stands. */
  readonly resolved: boolean
}
