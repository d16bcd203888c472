import { type AgentView, describeRefused } from '@synchub/protocol'
import type { Command } from 'commander'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import { layOutTable } from '../terminal/table.js'
import { showPaces } from './agent-paces.js'
import type { RunCommand } from './command.js'
import { examples } from './examples.js'

/** Most resources of an agent that a table shows. */
const MAX_SHOWN = 10

/** `synchub agents`: lists the agents of which something may be used. */
export function declareAgents(program: Command, run: RunCommand): void {
  const command = program
    .command('agents')
    .description(
      'List the agents that you may use: whether they are there, their tools, their resources, their prompts.',
    )
    .option(
      '--slowest',
      'show how each works in place of what it offers, the slowest first, by all of its runs of the last day',
    )
    .option('--json', 'print one JSON object per agent')
    .addHelpText(
      'after',
      examples('synchub agents', 'synchub agents --slowest', 'synchub agents --json | jq -r .tools[].name'),
    )
  command.action((flags: { readonly slowest?: boolean; readonly json?: boolean }) => {
    return run(command, async (context) => {
      const { client, out, err } = context
      const agents = await client().agents()
      if (flags.slowest === true && agents.length > 0) showPaces(context, agents, flags.json === true)
      else if (flags.json === true) for (const agent of agents) out.line(jsonLine(agent))
      else if (agents.length > 0) for (const line of linesOf(agents)) out.line(line)
      else err.line('there is no agent that you may use')
      return 'ok'
    })
  })
}

/** A tool is called, a resource read, a prompt chosen: each kind has its own table. */
function linesOf(agents: readonly AgentView[]): string[] {
  return [...toolTable(agents), ...agents.flatMap(notesOf), ...resourceTable(agents), ...promptTable(agents)]
}

/** One row for each tool; what is the agent's own stands beside its first. */
function toolTable(agents: readonly AgentView[]): string[] {
  const rows = agents.flatMap(({ name, available, trust, connector, tools }) => {
    const own = [name, available ? 'available' : 'away', trust, connector]
    const [first, ...others] = tools.map((tool) => [tool.name, tool.mode])
    return [[...own, ...(first ?? ['-', '-'])], ...others.map((tool) => ['', '', '', '', ...tool])]
  })
  return layOut(['AGENT', 'STATE', 'TRUST', 'CONNECTOR', 'TOOL', 'MODE'], rows)
}

function resourceTable(agents: readonly AgentView[]): string[] {
  const rows = agents.flatMap(({ name, resources, resourceTemplates }) => {
    const left = resources.length - MAX_SHOWN
    const lines = [
      ...resourceTemplates.map((template) => [template.uriTemplate, template.name]),
      ...resources.slice(0, MAX_SHOWN).map((resource) => [resource.uri, resource.name]),
      ...(left > 0 ? [[`and ${left} more: --json lists all`, '']] : []),
    ]
    return lines.map((line, at) => [at === 0 ? name : '', ...line])
  })
  return rows.length === 0 ? [] : ['', ...layOut(['AGENT', 'RESOURCE', 'NAME'], rows)]
}

function promptTable(agents: readonly AgentView[]): string[] {
  const rows = agents.flatMap(({ name, prompts }) => prompts.map((prompt, at) => [at === 0 ? name : '', prompt.name]))
  return rows.length === 0 ? [] : ['', ...layOut(['AGENT', 'PROMPT'], rows)]
}

function layOut(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return layOutTable([heading, ...rows.map((row) => row.map(cleanLine))])
}

function notesOf({ name, reason, refused }: AgentView): string[] {
  const away = reason === undefined ? [] : [`${name} is away: ${reason}`]
  const broken = refused.map((offer) => `${name}: ${describeRefused(offer)}: ${offer.reason}`)
  return [...away, ...broken].map(cleanLine)
}
