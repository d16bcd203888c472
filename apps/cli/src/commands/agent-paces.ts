import type { AgentPace } from '@synchub/client'
import type { AgentView } from '@synchub/protocol'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { layOutTable } from '../terminal/table.js'
import { describeDuration } from '../terminal/written-duration.js'
import type { CommandContext } from './command.js'

/** Shows how agents work, the slowest first; one of which nothing was measured comes last. */
export async function showPaces(
  { client, out }: CommandContext,
  agents: readonly AgentView[],
  json: boolean,
): Promise<void> {
  const hub = client()
  const paces = await Promise.all(
    agents.map(async ({ name, available }) => ({ name, available, pace: await hub.pace(name) })),
  )
  const sorted = paces.toSorted((left, right) => (right.pace.slowMs ?? -1) - (left.pace.slowMs ?? -1))
  if (json) for (const agent of sorted) out.line(jsonLine(agent))
  else for (const line of tableOf(sorted)) out.line(line)
}

interface PacedAgent {
  readonly name: string
  readonly available: boolean
  readonly pace: AgentPace
}

function tableOf(agents: readonly PacedAgent[]): string[] {
  const rows = agents.map(({ name, available, pace: { slowMs, medianMs, running, failed, measured } }) => {
    const state = available ? 'available' : 'away'
    const counts = [running, failed, measured].map(String)
    return [cleanLine(name), state, describeMs(slowMs), describeMs(medianMs), ...counts]
  })
  return layOutTable([['AGENT', 'STATE', 'SLOWEST 5%', 'MEDIAN', 'RUNNING', 'FAILED', 'OF TRACES'], ...rows])
}

function describeMs(durationMs: number | undefined): string {
  return durationMs === undefined ? '-' : describeDuration(durationMs)
}
