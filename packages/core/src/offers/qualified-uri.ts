import type { HubConfig } from '../config/hub-config.js'

/** Schemes of the hub's own resources; what an agent offers under them is refused. */
const OWN_SCHEME = /^(?:agent|trace):/i

/** Whether the hub alone has URIs of this scheme. */
export function isReservedUri(uri: string): boolean {
  return OWN_SCHEME.test(uri)
}

/**
 * The URI that stands for what one agent has under `uri`, where several agents have it: `agent://<Agent>/<its own URI>`. The own URI
 * follows as it is, so that this serves templates too.
 */
export function qualifyUri(agent: string, uri: string): string {
  return `agent://${agent}/${uri}`
}

/** What a URI says by itself, whether there is such a resource or not. */
export interface NamedUri {
  /** Absent where the URI is an agent's own. */
  readonly agentName?: string
  readonly uri: string
}

/** Takes `agent://<Agent>/<its own URI>` apart. */
export function readQualifiedUri(uri: string, { agents }: HubConfig): NamedUri {
  const [, agentName = '', own = ''] = /^agent:\/\/([^/]+)\/(.+)$/s.exec(uri) ?? []
  return agents.has(agentName) ? { agentName, uri: own } : { uri }
}
