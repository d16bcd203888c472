import type { AgentConnections } from '@synchub/connectors'
import { type AgentConfig, guardReader, performRead } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import { type ErrandTaker, type Store, takeErrands } from '@synchub/redis'

/** What errands are done with. */
export interface ErrandPorts {
  readonly agents: ReadonlyMap<string, AgentConfig>
  readonly connections: AgentConnections
  /** Told of what no hub can be told any more. */
  onFailure(thrown: unknown): void
}

/** Reads for hubs what agents offer that run as child processes of this dispatcher. @throws HubError HUB_UNAVAILABLE */
export function readForHubs(
  { link, subscriptions }: Store,
  { agents, connections, onFailure }: ErrandPorts,
): Promise<ErrandTaker> {
  return takeErrands(link, subscriptions, {
    onFailure,
    accepts: (name) => agents.has(name) && connections.get(name) !== undefined,
    async perform({ agent: name, read }, signal) {
      const [agent, connection] = [agents.get(name), connections.get(name)]
      if (agent === undefined || connection === undefined) throw new HubError('INTERNAL_ERROR', `no agent ${name} here`)
      return performRead(guardReader(connection.offers, agent), read, signal)
    },
  })
}
