import { randomUUID } from 'node:crypto'
import { compileOwnSchema, type PublicPath } from '@synchub/core'
import { checkParams, type PathMethod } from './path-method.js'
import { PUBLIC_PATH_REVISION } from './protocol-version.js'

const check = compileOwnSchema({
  type: 'object',
  required: ['protocolVersion'],
  properties: {
    protocolVersion: { type: 'string' },
    capabilities: { type: 'object' },
    clientInfo: { type: 'object' },
  },
})

/**
 * `initialize` (S1.3): tells the one revision, whatever the client asked for, and a fresh session id, which the client may send along
 * and which is kept nowhere.
 */
export function initialize({ agent, title, version }: PublicPath): PathMethod {
  return {
    name: 'initialize',
    instance: () => '/initialize',
    async handle(params) {
      checkParams(check, params)
      return {
        result: {
          protocolVersion: PUBLIC_PATH_REVISION,
          capabilities: { tools: { listChanged: false } },
          serverInfo: { name: agent.name, title, version },
        },
        headers: { 'Mcp-Session-Id': randomUUID() },
      }
    },
  }
}
