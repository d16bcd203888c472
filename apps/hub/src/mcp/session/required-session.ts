import { RevisionError } from '@synchub/protocol'
import type { McpCall } from '../mcp-method.js'

/**
 * The id of the session that a request stands in. One that names none is refused by HTTP (2025-11-25, "Session Management").
 * @throws RevisionError BAD_REQUEST for a request without one
 */
export function requireSession({ session }: McpCall): string {
  if (session !== undefined) return session.id
  throw new RevisionError('BAD_REQUEST', 'this method needs the session that initialize has opened', {
    nextStep: 'Send the Mcp-Session-Id that initialize has answered.',
  })
}
