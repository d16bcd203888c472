import { mayCallTool, type Principal } from '@synchub/auth'
import type { ListedTool } from '@synchub/protocol'
import { type HubConfig, policyOf } from '../config/hub-config.js'
import type { Catalogue } from './catalogue.js'

/**
 * The tools that a principal may call, ordered by name; a name that two agents have is listed as `Agent.tool` for both. What
 * the principal may not use is not listed (S4.1).
 */
export function listTools(catalogue: Catalogue, config: HubConfig, principal: Principal): readonly ListedTool[] {
  const offers = catalogue.agents.flatMap((seen) => {
    const agent = config.agents.get(seen.name)
    return agent === undefined ? [] : seen.tools.map(({ tool }) => ({ agent, seen, tool }))
  })
  const holders = new Map<string, number>()
  for (const { tool } of offers) holders.set(tool.name, (holders.get(tool.name) ?? 0) + 1)
  return offers
    .filter(({ agent, tool }) => mayCallTool(principal, agent.name, tool.name))
    .map(({ agent, seen, tool }) => ({
      ...tool,
      name: holders.get(tool.name) === 1 ? tool.name : `${agent.name}.${tool.name}`,
      _meta: { agent: agent.name, mode: policyOf(agent, tool.name).mode, available: seen.available },
    }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}
