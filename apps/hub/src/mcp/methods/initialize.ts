import { findMisdeclared, HubError, isJsonObject, isLegacyRevision, LEGACY_REVISIONS } from '@synchub/protocol'
import { capabilitiesOf } from '../capabilities.js'
import { type McpMethod, mcpMethod } from '../mcp-method.js'
import { INSTRUCTIONS, SERVER_INFO } from '../server-identity.js'
import type { SessionBook } from '../session/session-book.js'

const PARAMS = {
  type: 'object',
  required: ['protocolVersion'],
  properties: { protocolVersion: { type: 'string' }, capabilities: { type: 'object' }, clientInfo: { type: 'object' } },
}

/**
 * `initialize`: the client's revision where it is spoken here, else our latest, and the client decides. It opens a session, which
 * a client that never names it again does without.
 */
export function initialize(book: SessionBook): McpMethod {
  return mcpMethod({
    name: 'initialize',
    eras: ['legacy'],
    params: PARAMS,
    async handle({ protocolVersion: wanted, capabilities }, call) {
      const protocolVersion = isLegacyRevision(wanted) ? wanted : LEGACY_REVISIONS[0]
      const declared = isJsonObject(capabilities) ? capabilities : {}
      const misdeclared = findMisdeclared(declared)
      if (misdeclared !== undefined) {
        const path = `capabilities.${misdeclared}`
        throw new HubError('INVALID_PARAMS', `${path} must be an object`, { path, expected: 'object' })
      }
      call.setHeader('Mcp-Session-Id', await book.open(call.principal, declared))
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
