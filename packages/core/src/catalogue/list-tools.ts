import { mayCallTool, type Principal } from '@synchub/auth'
import type { ListedTool } from '@synchub/protocol'
import { type AgentConfig, type HubConfig, policyOf, type ToolPolicy } from '../config/hub-config.js'
import type { Catalogue, CatalogueAgent } from './catalogue.js'
import { hasTool, toolNames } from './known-tools.js'
import { readToolName } from './tool-name.js'

/**
 * The tools that a principal may call, ordered by name, each under a name that stands for it alone: `Agent.tool` where another
 * agent has the name too. What the principal may not use is not listed (S4.1).
 */
export function listTools(catalogue: Catalogue, config: HubConfig, principal: Principal): readonly ListedTool[] {
  const seenByName = new Map(catalogue.agents.map((seen) => [seen.name, seen]))
  const agents = [...config.agents.values()].map((agent) => ({ agent, seen: seenByName.get(agent.name) }))
  const holders = new Map<string, number>()
  for (const { agent, seen } of agents) {
    for (const name of toolNames(agent, seen)) holders.set(name, (holders.get(name) ?? 0) + 1)
  }
  return agents
    .flatMap(({ agent, seen }) => (seen === undefined ? [] : seen.tools.map(({ tool }) => ({ agent, seen, tool }))))
    .filter(({ agent, tool }) => mayCallTool(principal, agent.name, tool.name))
    .map(({ agent, seen, tool }) => {
      const isUnique = holders.get(tool.name) === 1 && isReadAsItself(tool.name, agent, seen, config)
      return {
        ...tool,
        name: isUnique ? tool.name : `${agent.name}.${tool.name}`,
        _meta: { agent: agent.name, ...describePolicy(policyOf(agent, tool.name)), available: seen.available },
      }
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function describePolicy({ mode, taskOnly, asksFirst }: ToolPolicy) {
  const isLong = mode === 'queued'
  return {
    mode,
    ...(isLong && taskOnly ? { taskOnly } : {}),
    ...(isLong && asksFirst ? { asksFirst } : {}),
  }
}

/** A name with a dot can read as `Agent.tool` of another tool. */
function isReadAsItself(name: string, agent: AgentConfig, seen: CatalogueAgent, config: HubConfig): boolean {
  const { agentName, toolName } = readToolName({ name }, config)
  return agentName === undefined || (agentName === agent.name && !hasTool(toolName, agent, seen))
}
