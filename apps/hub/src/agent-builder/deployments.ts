import type { AgentConnection, Catalogue, Clock, PublicPath } from '@synchub/core'
import type { Logger } from '@synchub/telemetry'
import { Deployment } from './deployment.js'

/** The deployments of all public paths of a hub; each lives and fails alone. */
export interface Deployments {
  readonly all: readonly Deployment[]
  /** By its agent's name; undefined for agents of other surfaces. */
  connectionOf(agent: string): AgentConnection | undefined
  /** What the hub's agents offer, with the snapshots of the deployments beside it. */
  join(catalogue: Catalogue): Catalogue
  close(): Promise<void>
}

/** Opens every deployment; none is waited for. */
export function openDeployments(
  paths: Iterable<PublicPath>,
  options: { readonly clock: Clock; readonly logger: Logger },
): Deployments {
  const all = [...paths].map((path) => new Deployment({ path, ...options }))
  return {
    all,
    connectionOf: (agent) => all.find(({ path }) => path.agent.name === agent)?.connection,
    join: (catalogue) =>
      all.length === 0 ? catalogue : { ...catalogue, agents: [...catalogue.agents, ...all.map(({ seen }) => seen)] },
    async close() {
      await Promise.all(all.map((deployment) => deployment.close()))
    },
  }
}
