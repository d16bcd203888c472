import type { IncomingMessage, ServerResponse } from 'node:http'

const EXPOSED =
  'SyncHub-Call-Id, SyncHub-Trace-Id, SyncHub-Replayed, SyncHub-Next-Cursor, Location, Preference-Applied, Retry-After, Mcp-Session-Id, WWW-Authenticate'
const ALLOWED_HEADERS = [
  'Authorization, Content-Type, Accept, Idempotency-Key, Prefer, Last-Event-ID, traceparent',
  'MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
].join(', ')
/** Tools choose the names of these (MCP 2026-07-28, `x-mcp-header`), so those that are asked for are allowed. */
const PARAM_HEADER = /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/
const PREFLIGHT_MAX_AGE_S = '600'

/**
 * Lets pages of an allowed origin read our answers (Fetch standard, CORS protocol); the guard has checked the origin. Returns
 * true when the request was a preflight and is answered.
 */
export function shareAcrossOrigins(req: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = req.headers
  if (origin === undefined) return false
  res.setHeader('Access-Control-Allow-Origin', origin)
  res.setHeader('Access-Control-Expose-Headers', EXPOSED)
  res.setHeader('Vary', 'Origin')
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false
  res.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST, DELETE',
    'Access-Control-Allow-Headers': [ALLOWED_HEADERS, ...askedParamHeaders(req)].join(', '),
    'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_S,
  })
  res.end()
  return true
}

function askedParamHeaders({ headers }: IncomingMessage): readonly string[] {
  const asked = (headers['access-control-request-headers'] ?? '').toLowerCase()
  return asked.split(/\s*,\s*/).filter((name) => PARAM_HEADER.test(name))
}
