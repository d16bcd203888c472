import { MODERN_REVISIONS } from '@synchub/protocol'
import { capabilitiesOf } from '../capabilities.js'
import { type McpMethod, mcpMethod } from '../mcp-method.js'
import { INSTRUCTIONS } from '../server-identity.js'

/** The answer changes only with a new version of the hub. */
const TTL_MS = 60_000

/** `server/discover`: modern revisions only, since a client that asks this way speaks no other. */
export function discover(): McpMethod {
  return mcpMethod({
    name: 'server/discover',
    eras: ['modern'],
    params: { type: 'object' },
    cache: { scope: 'public', ttlMs: TTL_MS },
    handle: () => ({
      kind: 'complete',
      result: {
        supportedVersions: MODERN_REVISIONS,
        capabilities: capabilitiesOf(MODERN_REVISIONS[0]),
        instructions: INSTRUCTIONS,
      },
    }),
  })
}
