import { mayCallTool, mayGetPrompts, mayReadResources, type Principal } from '@synchub/auth'
import type { AgentView } from '@synchub/protocol'
import type { AgentConfig, HubConfig } from '../config/hub-config.js'
import type { RefusedOffer } from '../offers/agent-offers.js'
import { listPrompts, listResources, listResourceTemplates } from '../offers/list-offers.js'
import type { Catalogue, CatalogueAgent } from './catalogue.js'
import { toolNames } from './known-tools.js'
import { listTools } from './list-tools.js'

/**
 * The agents of which a principal may use something, ordered by name, each with what it may use: tools, resources and prompts
 * apart (S4.2). Another agent looks like one that does not exist (invariant 8).
 */
export function listAgents(catalogue: Catalogue, config: HubConfig, principal: Principal): readonly AgentView[] {
  const scene = [catalogue, config, principal] as const
  const tools = groupByAgent(listTools(...scene))
  const resources = groupByAgent(listResources(...scene))
  const templates = groupByAgent(listResourceTemplates(...scene))
  const prompts = groupByAgent(listPrompts(...scene))
  return [...config.agents.values()]
    .map((agent) => ({ agent, seen: catalogue.agents.find(({ name }) => name === agent.name) }))
    .filter(({ agent, seen }) => isVisible(agent, seen, principal))
    .map(({ agent, seen }) => ({
      name: agent.name,
      available: seen?.available ?? false,
      ...(seen?.available === true ? {} : { reason: seen?.reason ?? 'it was not reached yet' }),
      trust: agent.trust,
      connector: agent.connector,
      tools: tools(agent.name).map(({ name, _meta: meta }) => ({ name, mode: meta.mode })),
      resources: resources(agent.name).map(({ uri, name }) => ({ uri, name })),
      resourceTemplates: templates(agent.name).map(({ uriTemplate, name }) => ({ uriTemplate, name })),
      prompts: prompts(agent.name).map(({ name }) => ({ name })),
      refused: (seen?.refused ?? []).filter((refused) => mayUse(refused, agent.name, principal)),
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function groupByAgent<Listed extends { readonly _meta: { readonly agent: string } }>(
  listed: readonly Listed[],
): (agent: string) => readonly Listed[] {
  const groups = new Map<string, Listed[]>()
  for (const item of listed) {
    const group = groups.get(item._meta.agent)
    if (group === undefined) groups.set(item._meta.agent, [item])
    else group.push(item)
  }
  return (agent) => groups.get(agent) ?? []
}

function mayUse({ kind, name = '' }: RefusedOffer, agent: string, principal: Principal): boolean {
  switch (kind) {
    case 'tool':
      return mayCallTool(principal, agent, name)
    case 'resource':
    case 'resourceTemplate':
      return mayReadResources(principal, agent)
    case 'prompt':
      return mayGetPrompts(principal, agent)
  }
}

/** An agent that was never reached has nothing that is known, but its name may stand in a scope. */
function isVisible(agent: AgentConfig, seen: CatalogueAgent | undefined, principal: Principal): boolean {
  const { name } = agent
  if (mayCallTool(principal, name, '') || mayReadResources(principal, name) || mayGetPrompts(principal, name))
    return true
  return [...toolNames(agent, seen)].some((tool) => mayCallTool(principal, name, tool))
}
