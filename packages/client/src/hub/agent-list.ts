import { type AgentView, isJsonObject } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'

/** The agents of which the caller may use at least one tool (`GET /agents`). */
export async function listAgents(connection: HubConnection, signal?: AbortSignal): Promise<readonly AgentView[]> {
  const list = await connection.json({ method: 'GET', path: '/agents', signal })
  if (isJsonObject(list) && isAgents(list.agents)) return list.agents
  throw notOurHub(connection.baseUrl, 'answered /agents with something that is no list of agents')
}

function isAgents(value: unknown): value is readonly AgentView[] {
  if (!Array.isArray(value)) return false
  return value.every((agent) => isJsonObject(agent) && typeof agent.name === 'string' && Array.isArray(agent.tools))
}
