import { HubError } from '@synchub/protocol'
import type { McpCall } from '../mcp-method.js'

/**
 * The id of the session that a request stands in.
 * @throws HubError INVALID_REQUEST for a request without one
 */
export function requireSession({ session }: McpCall): string {
  if (session !== undefined) return session.id
  throw new HubError('INVALID_REQUEST', 'this method needs the session that initialize has opened', {
    nextStep: 'Send the Mcp-Session-Id that initialize has answered.',
  })
}
