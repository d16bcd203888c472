import { mayCallTool, type Principal } from '@synchub/auth'
import type { AgentView } from '@synchub/protocol'
import type { AgentConfig, HubConfig } from '../config/hub-config.js'
import type { Catalogue, CatalogueAgent } from './catalogue.js'
import { toolNames } from './known-tools.js'
import { listTools } from './list-tools.js'

/**
 * The agents of which a principal may call at least one tool, ordered by name, each with the tools that it may call. Another
 * agent looks like one that does not exist (invariant 8).
 */
export function listAgents(catalogue: Catalogue, config: HubConfig, principal: Principal): readonly AgentView[] {
  const tools = listTools(catalogue, config, principal)
  return [...config.agents.values()]
    .map((agent) => ({ agent, seen: catalogue.agents.find(({ name }) => name === agent.name) }))
    .filter(({ agent, seen }) => isVisible(agent, seen, principal))
    .map(({ agent, seen }) => ({
      name: agent.name,
      available: seen?.available ?? false,
      ...(seen?.available === true ? {} : { reason: seen?.reason ?? 'it was not reached yet' }),
      trust: agent.trust,
      connector: agent.connector,
      tools: tools
        .filter(({ _meta: meta }) => meta.agent === agent.name)
        .map(({ name, _meta: meta }) => ({ name, mode: meta.mode })),
      refused: (seen?.refused ?? [])
        .filter(({ tool }) => mayCallTool(principal, agent.name, tool))
        .map(({ tool, reason }) => ({ tool, reason })),
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/** An agent that was never reached has no tools that are known, but its name may stand in a scope. */
function isVisible(agent: AgentConfig, seen: CatalogueAgent | undefined, principal: Principal): boolean {
  const mayCallAny = mayCallTool(principal, agent.name, '')
  return mayCallAny || [...toolNames(agent, seen)].some((tool) => mayCallTool(principal, agent.name, tool))
}
