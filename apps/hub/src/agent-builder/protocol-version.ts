import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { sendJson } from '../http/respond.js'

/** The one revision that public paths speak (S1.1). */
export const PUBLIC_PATH_REVISION = '2025-11-25'

/** Whether the header that everything but `initialize` needs is there and right (S1.4). */
export function namesRevision(headers: IncomingHttpHeaders): boolean {
  return headers['mcp-protocol-version'] === PUBLIC_PATH_REVISION
}

/** Refuses a request whose header is missing or other: HTTP 400 with a body that is no JSON-RPC (S1.4). */
export function refuseRevision(res: ServerResponse, headers: IncomingHttpHeaders, guid: string): void {
  const sent = headers['mcp-protocol-version']
  const found = sent === undefined ? 'and is missing' : `not ${JSON.stringify(String(sent).slice(0, 64))}`
  sendJson(res, 400, {
    error: 'UNSUPPORTED_PROTOCOL_VERSION',
    message: `the header MCP-Protocol-Version must be ${PUBLIC_PATH_REVISION}, ${found}`,
    supportedVersions: [PUBLIC_PATH_REVISION],
    guid,
  })
}
