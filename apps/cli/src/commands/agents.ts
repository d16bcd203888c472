import type { AgentView } from '@synchub/protocol'
import type { Command } from 'commander'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { layOutTable } from '../terminal/table.js'
import type { RunCommand } from './command.js'
import { examples } from './examples.js'

/** `synchub agents`: lists the agents whose tools may be called. */
export function declareAgents(program: Command, run: RunCommand): void {
  const command = program
    .command('agents')
    .description('List the agents whose tools you may call: whether they are there, and what they offer.')
    .option('--json', 'print one JSON object per agent')
    .addHelpText('after', examples('synchub agents', 'synchub agents --json | jq -r .tools[].name'))
  command.action((flags: { readonly json?: boolean }) => {
    return run(command, async ({ client, out, err }) => {
      const agents = await client().agents()
      if (flags.json === true) for (const agent of agents) out.line(jsonLine(agent))
      else if (agents.length > 0) for (const line of [...tableOf(agents), ...agents.flatMap(notesOf)]) out.line(line)
      else err.line('there is no agent of which you may call a tool')
      return 'ok'
    })
  })
}

/** One row for each tool; what is the agent's own stands beside its first. */
function tableOf(agents: readonly AgentView[]): string[] {
  const rows = agents.flatMap(({ name, available, trust, connector, tools }) => {
    const own = [name, available ? 'available' : 'away', trust, connector]
    const [first, ...others] = tools.map((tool) => [tool.name, tool.mode])
    return [[...own, ...(first ?? ['-', '-'])], ...others.map((tool) => ['', '', '', '', ...tool])]
  })
  return layOutTable([
    ['AGENT', 'STATE', 'TRUST', 'CONNECTOR', 'TOOL', 'MODE'],
    ...rows.map((row) => row.map(cleanLine)),
  ])
}

function notesOf({ name, reason, refused }: AgentView): string[] {
  const away = reason === undefined ? [] : [`${name} is away: ${reason}`]
  const broken = refused.map(({ tool, reason: why }) => `${name} offers ${tool}, which is refused: ${why}`)
  return [...away, ...broken].map(cleanLine)
}
