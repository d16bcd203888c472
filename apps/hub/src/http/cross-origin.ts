import type { IncomingMessage, ServerResponse } from 'node:http'

const EXPOSED = 'SyncHub-Call-Id, SyncHub-Trace-Id, Location, Preference-Applied, Retry-After'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Accept, Idempotency-Key, Prefer, Last-Event-ID'
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
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_S,
  })
  res.end()
  return true
}
