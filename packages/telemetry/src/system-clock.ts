/** The clock of the machine: the one place that reads it, handed to whatever needs a clock. */
export const systemClock = {
  /** Milliseconds since 1970. */
  now: (): number => Date.now(),
  /** Runs `action` once after `delayMs`; the returned function calls it off. */
  schedule(delayMs: number, action: () => void): () => void {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}
