import type { Principal } from '@synchub/auth'
import { listAgents } from '@synchub/core'
import { type AgentList, type AgentView, HubError } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'
import { ownerOfList } from './list-query.js'
import type { Operation } from './operation.js'

/** `GET /agents`: the agents of which the principal may call a tool, with their tools, what is wrong with them and how they work. */
export function getAgents(context: HubContext): Operation {
  const { catalogue, config } = context
  return {
    method: 'get',
    path: '/agents',
    async handle({ principal }) {
      const agents = listAgents(catalogue.current(), config, principal)
      const body: AgentList = { agents: await withPaces(agents, principal, context) }
      return { body }
    },
  }
}

/** Over the runs whose traces the principal may list. Which agents there are is known without the store, and told without it. */
async function withPaces(
  agents: readonly AgentView[],
  principal: Principal,
  { store }: HubContext,
): Promise<readonly AgentView[]> {
  if (principal.run !== undefined) return agents
  const { tenant } = principal
  const owner = ownerOfList(undefined, principal)
  const whose = owner === undefined ? { tenant } : { tenant, owner }
  try {
    return await Promise.all(
      agents.map(async (agent) => ({ ...agent, pace: await store.paces.read(agent.name, whose) })),
    )
  } catch (thrown) {
    if (thrown instanceof HubError && thrown.code === 'HUB_UNAVAILABLE') return agents
    throw thrown
  }
}
