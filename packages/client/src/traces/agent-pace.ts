import type { TraceSummary } from '@synchub/protocol'
import type { HubConnection } from '../connection/hub-connection.js'
import { listTraces } from './trace-list.js'

/** How an agent works, as its newest traces tell. */
export interface AgentPace {
  readonly running: number
  /** Those that failed, and those of which nobody knows how they ended. */
  readonly failed: number
  /** Traces that were looked at. */
  readonly measured: number
  /** Traces that began in each of thirty stretches of the last hour, the oldest first. */
  readonly perStretch: readonly number[]
  /** How long ended traces took, in ms, the oldest first. */
  readonly durationsMs: readonly number[]
  readonly medianMs: number | undefined
  /** Nineteen of twenty took no longer. */
  readonly slowMs: number | undefined
}

/** Newest traces that are looked at. */
const MEASURED_TRACES = 200
const HOUR_MS = 3_600_000
const STRETCHES = 30

/** The pace of an agent, by the newest traces that began with it. */
export async function readPace(connection: HubConnection, agent: string, signal?: AbortSignal): Promise<AgentPace> {
  const { items } = await listTraces(connection, { agent, limit: MEASURED_TRACES }, signal)
  return paceOf(items, Date.now())
}

/** Sums traces up, newest first as the hub lists them. */
export function paceOf(traces: readonly TraceSummary[], nowMs: number): AgentPace {
  const perStretch = Array.from({ length: STRETCHES }, () => 0)
  for (const { createdAt } of traces) {
    const stretch = STRETCHES - 1 - Math.floor(((nowMs - Date.parse(createdAt)) / HOUR_MS) * STRETCHES)
    if (stretch >= 0 && stretch < STRETCHES) perStretch[stretch] = (perStretch[stretch] ?? 0) + 1
  }
  const ended = traces.filter(({ state }) => state === 'completed' || state === 'failed')
  const durationsMs = ended
    .map(({ createdAt, updatedAt, endedAt = updatedAt }) => Date.parse(endedAt) - Date.parse(createdAt))
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
