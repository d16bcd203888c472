import { randomUUID } from 'node:crypto'
import { isLegacyRevision, LEGACY_REVISIONS } from '@synchub/protocol'
import { capabilitiesOf } from '../capabilities.js'
import { type McpMethod, mcpMethod } from '../mcp-method.js'
import { INSTRUCTIONS, SERVER_INFO } from '../server-identity.js'

const PARAMS = {
  type: 'object',
  required: ['protocolVersion'],
  properties: { protocolVersion: { type: 'string' }, capabilities: { type: 'object' }, clientInfo: { type: 'object' } },
}

/**
 * `initialize`: the client's revision where it is spoken here, else our latest, and the client decides. The session id is not
 * kept: it only tells the requests of one client from those of another, whose ids may be the same, when one is cancelled.
 */
export function initialize(): McpMethod {
  return mcpMethod({
    name: 'initialize',
    eras: ['legacy'],
    params: PARAMS,
    handle({ protocolVersion: wanted }, call) {
      const protocolVersion = isLegacyRevision(wanted) ? wanted : LEGACY_REVISIONS[0]
      call.setHeader('Mcp-Session-Id', randomUUID())
      return {
        kind: 'complete',
        result: {
          protocolVersion,
          capabilities: capabilitiesOf(protocolVersion),
          serverInfo: SERVER_INFO,
          instructions: INSTRUCTIONS,
        },
      }
    },
  })
}
