import type { AgentConfig, AgentConnection } from '@synchub/core'
import { createMcpHttpConnection } from './mcp-http/mcp-http-connection.js'
import { createMcpStdioConnection } from './mcp-stdio/mcp-stdio-connection.js'
import { createNativeConnection } from './native/native-connection.js'
import { createToolServiceConnection } from './tool-service/tool-service-connection.js'

/** The connections of one process to the agents of its configuration: one for each agent. */
export interface AgentConnections {
  get(agent: string): AgentConnection | undefined
  close(): Promise<void>
}

/** What a process may do to reach agents. */
export interface ConnectOptions {
  /** Whether agents may be started as child processes: dispatchers do, a hub does not. */
  readonly mayStartProcesses: boolean
  /** Told, for the log, of what is neither an outcome nor an error. */
  readonly notice: (agent: string, reason: string) => void
  /** Told when an agent says that its lists have changed; absent where nobody wants to know. */
  readonly onListChange?: (agent: string) => void
}

/** Prepares a connection to every agent that this process may reach; nothing is sent and nothing started yet. */
export function connectAgents(
  agents: readonly AgentConfig[],
  { mayStartProcesses, notice, onListChange }: ConnectOptions,
): AgentConnections {
  const reachable = agents.filter(({ connector }) => mayStartProcesses || connector !== 'mcp-stdio')
  const connections = new Map(
    reachable.map((agent) => [
      agent.name,
      connectAgent(agent, {
        notice: (reason) => notice(agent.name, reason),
        ...(onListChange === undefined ? {} : { onListChange: () => onListChange(agent.name) }),
      }),
    ]),
  )
  return {
    get: (agent) => connections.get(agent),
    async close() {
      await Promise.all([...connections.values()].map((connection) => connection.close()))
    },
  }
}

interface Observers {
  readonly notice: (reason: string) => void
  readonly onListChange?: () => void
}

function connectAgent(agent: AgentConfig, observers: Observers): AgentConnection {
  switch (agent.connector) {
    case 'native':
      return createNativeConnection({ ...agent, ...observers })
    case 'mcp-http':
      return createMcpHttpConnection({ ...agent, ...observers })
    case 'mcp-stdio':
      return createMcpStdioConnection({ ...agent, ...observers })
    case 'tool-service':
      return createToolServiceConnection({ ...agent, ...observers })
  }
}
