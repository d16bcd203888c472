import {
  type CacheScope,
  cacheHints,
  HubError,
  isLegacyRevision,
  type JsonObject,
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  type ServerInfo,
} from '@synchub/protocol'
import type { Agent } from '../agent/definition.js'
import { completesAnything } from '../completion/answer.js'

/** How long a client may keep a list that changes only when the agent is started anew, in milliseconds. */
const STATIC_TTL_MS = 60_000

/** What an agent offers beside tools is announced only where there is some of it. */
function capabilitiesOf(agent: Agent): JsonObject {
  const { prompts, resources } = agent
  return {
    tools: {},
    ...(prompts.size === 0 ? {} : { prompts: {} }),
    ...(resources.length === 0 ? {} : { resources: {} }),
    ...(completesAnything(agent) ? { completions: {} } : {}),
  }
}

/**
 * The result of `initialize`: the client's revision where it is spoken here, else our latest, and the client decides.
 * @throws HubError INVALID_PARAMS when the client names none
 */
export function negotiate(agent: Agent, { protocolVersion }: JsonObject): JsonObject {
  if (typeof protocolVersion !== 'string') {
    const [path, expected] = ['protocolVersion', 'a string']
    throw new HubError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
  }
  return {
    protocolVersion: isLegacyRevision(protocolVersion) ? protocolVersion : LEGACY_REVISIONS[0],
    capabilities: capabilitiesOf(agent),
    serverInfo: identityOf(agent),
  }
}

/** The result of `server/discover`, which lists modern revisions only. */
export function discover(agent: Agent): JsonObject {
  return { supportedVersions: MODERN_REVISIONS, capabilities: capabilitiesOf(agent), ...cacheable('public') }
}

/** Cache hints of a modern result: `public` for what changes only with a new start, `private` for what may change at any time. */
export function cacheable(scope: CacheScope): JsonObject {
  return cacheHints(scope, scope === 'public' ? STATIC_TTL_MS : 0)
}

/** What an agent calls itself. */
export function identityOf({ name, version }: Agent): ServerInfo {
  return { name, version }
}
