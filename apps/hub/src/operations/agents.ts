import { listAgents } from '@synchub/core'
import type { AgentList } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'
import type { Operation } from './operation.js'

/** `GET /agents`: the agents of which the principal may call a tool, with their tools and what is wrong with them. */
export function getAgents({ catalogue, config }: HubContext): Operation {
  return {
    method: 'get',
    path: '/agents',
    async handle({ principal }) {
      const body: AgentList = { agents: listAgents(catalogue.current(), config, principal) }
      return { body }
    },
  }
}
