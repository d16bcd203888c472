import type { AgentConfig, AgentConnection } from '@synchub/core'
import { createNativeConnection } from './native/native-connection.js'

/** The connections of one process to the agents of its configuration: one for each agent. */
export interface AgentConnections {
  get(agent: string): AgentConnection | undefined
  close(): Promise<void>
}

/** Prepares a connection to every agent; nothing is sent yet. */
export function connectAgents(
  agents: readonly AgentConfig[],
  notice: (agent: string, reason: string) => void,
): AgentConnections {
  const connections = new Map(
    agents.flatMap((agent) =>
      agent.connector === 'native'
        ? [[agent.name, createNativeConnection({ ...agent, notice: (reason) => notice(agent.name, reason) })] as const]
        : [],
    ),
  )
  return {
    get: (agent) => connections.get(agent),
    async close() {
      await Promise.all([...connections.values()].map((connection) => connection.close()))
    },
  }
}
