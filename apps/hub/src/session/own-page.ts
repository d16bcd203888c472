import type { IncomingMessage } from 'node:http'

const READING = ['GET', 'HEAD']

/** The origin of the page that sent the request, if that page is the hub's own; the guard has checked the Host. */
export function ownOriginOf({ headers }: IncomingMessage): string | undefined {
  const { origin, host } = headers
  return origin !== undefined && origin.replace(/^https?:\/\//, '') === host ? origin : undefined
}

/**
 * Whether a page of this hub sent the request. `SameSite` keeps other sites out, but not other ports of the same host: what
 * changes anything must name our own origin, which every browser does (Fetch standard, "Origin" header). What only reads may
 * come without, and then says by `Sec-Fetch-Site` where it comes from if the browser tells; its answer is shared with nobody.
 */
export function comesFromOwnPage(req: IncomingMessage): boolean {
  if (ownOriginOf(req) !== undefined) return true
  if (req.headers.origin !== undefined || !READING.includes(req.method ?? '')) return false
  const site = req.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
