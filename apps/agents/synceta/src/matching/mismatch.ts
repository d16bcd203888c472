/** One thing that is not as expected. */
export interface Mismatch {
  /** What was looked at: `status`, `header location`, `body /result/name`. */
  readonly place: string
  /** As text, JSON for values; whole, since half of a secret is not recognised any more by who takes secrets out. */
  readonly expected: string
  readonly actual: string
}
