import type { TraceSummary } from '@synchub/protocol'

/** How an agent works, as its newest traces tell. */
export interface AgentPace {
  readonly running: number
  readonly failed: number
  readonly measured: number
  /** Traces that began in each of the stretches of the last hour, the oldest first. */
  readonly perStretch: readonly number[]
  /** How long ended traces took, in ms, the oldest first. */
  readonly durationsMs: readonly number[]
  readonly medianMs: number | undefined
  /** Nineteen of twenty took no longer. */
  readonly slowMs: number | undefined
}

const HOUR_MS = 3_600_000
const STRETCHES = 30

/** Sums traces up, newest first as the hub lists them. */
export function paceOf(traces: readonly TraceSummary[], nowMs: number): AgentPace {
  const perStretch = Array.from({ length: STRETCHES }, () => 0)
  for (const { createdAt } of traces) {
    const stretch = STRETCHES - 1 - Math.floor(((nowMs - Date.parse(createdAt)) / HOUR_MS) * STRETCHES)
    if (stretch >= 0 && stretch < STRETCHES) perStretch[stretch] = (perStretch[stretch] ?? 0) + 1
  }
  const ended = traces.filter(({ state }) => state === 'completed' || state === 'failed')
  const durationsMs = ended
    .map(({ createdAt, updatedAt }) => Date.parse(updatedAt) - Date.parse(createdAt))
    .toReversed()
  const sorted = durationsMs.toSorted((left, right) => left - right)
  const at = (fraction: number) => sorted[Math.min(Math.floor(sorted.length * fraction), sorted.length - 1)]
  return {
    running: traces.filter(({ state }) => state === 'running').length,
    failed: traces.filter(({ state }) => state === 'failed' || state === 'unknown').length,
    measured: traces.length,
    perStretch,
    durationsMs,
    medianMs: at(0.5),
    slowMs: at(0.95),
  }
}
