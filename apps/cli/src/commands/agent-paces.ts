import type { AgentView } from '@synchub/protocol'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { layOutTable } from '../terminal/table.js'
import { describeDuration } from '../terminal/written-duration.js'
import type { CommandContext } from './command.js'

/** Shows how agents work, the slowest first; one of which nothing was measured comes last. */
export function showPaces({ out }: CommandContext, agents: readonly AgentView[], json: boolean): void {
  const sorted = agents.toSorted((left, right) => (right.pace?.slowMs ?? -1) - (left.pace?.slowMs ?? -1))
  if (json) for (const agent of sorted) out.line(jsonLine(agent))
  else for (const line of tableOf(sorted)) out.line(line)
}

function tableOf(agents: readonly AgentView[]): string[] {
  const rows = agents.map(({ name, available, pace }) => {
    const state = available ? 'available' : 'away'
    const counts = pace === undefined ? ['-', '-'] : [pace.failed, pace.runs].map(String)
    return [cleanLine(name), state, describeMs(pace?.slowMs), describeMs(pace?.medianMs), ...counts]
  })
  return layOutTable([['AGENT', 'STATE', 'SLOWEST 5%', 'MEDIAN', 'FAILED', 'OF RUNS'], ...rows])
}

function describeMs(durationMs: number | undefined): string {
  return durationMs === undefined ? '-' : describeDuration(durationMs)
}
