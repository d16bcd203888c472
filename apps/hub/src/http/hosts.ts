import type { IncomingMessage } from 'node:http'
import type { HubConfig } from '@synchub/core'
import { HubError } from '@synchub/protocol'

const HOST = 'host'
const PORT = /:\d{1,5}$/

/**
 * Refuses requests that a foreign page could have sent by DNS rebinding: the Host must be one that the hub is known by, and a
 * page's Origin must be allowed or live on such a host itself. A request without Origin comes of no page.
 * @throws HubError FORBIDDEN, INVALID_REQUEST
 */
export function checkHost({ headers, rawHeaders }: IncomingMessage, config: HubConfig): void {
  const { host, origin } = headers
  // Node keeps the first of two; a proxy before us may have gone by the second (RFC 9112 section 3.2).
  if (countHosts(rawHeaders) > 1) throw new HubError('INVALID_REQUEST', 'the request has more than one Host header')
  const name = host?.replace(PORT, '').toLowerCase()
  if (name === undefined || !config.allowedHosts.includes(name)) {
    throw new HubError('FORBIDDEN', `the Host ${JSON.stringify(host ?? '')} is not one of this hub`, {
      nextStep: 'Use a host of http.allowedHosts, or have the operator add this one.',
    })
  }
  if (origin === undefined || isAllowedOrigin(origin, config)) return
  throw new HubError('FORBIDDEN', `the Origin ${JSON.stringify(origin)} may not use this hub`, {
    nextStep: 'Have the operator add the origin to http.allowedOrigins.',
  })
}

/** @param rawHeaders - names and values in turn */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count++
  }
  return count
}

function isAllowedOrigin(origin: string, { allowedOrigins, allowedHosts }: HubConfig): boolean {
  if (allowedOrigins.includes(origin)) return true
  return /^https?:\/\//.test(origin) && allowedHosts.includes(origin.replace(/^https?:\/\//, '').replace(PORT, ''))
}
