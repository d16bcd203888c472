import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { TargetDefinition } from '../configuration/definition.js'
import { checkedLookup, describeRefusal, isAllowed } from './allowed-address.js'

/** A request as it goes out. */
export interface OutgoingRequest {
  readonly method: string
  /** Below the target's own path; begins with `/`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where there is none, which differs from an empty one. */
  readonly body: Buffer | undefined
}

/** No connection to the target was made, so nothing was sent. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/**
 * Sends one request over a connection of its own. The address that the connection goes to is checked after name resolution: one
 * that is not public must be allowed by the target (invariant 13). The path can lead to no other host, redirects are not followed,
 * and proxies of the environment are not used.
 * @throws UnreachableError when there is no connection; the system's error when it broke off; the signal's reason when it aborted
 */
export async function exchange(
  { url, headers, allowAddresses }: TargetDefinition,
  outgoing: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  signal.throwIfAborted()
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // An address in the URL itself is not looked up.
  if (isIP(hostname) !== 0 && !isAllowed(hostname, allowAddresses))
    throw new UnreachableError(describeRefusal(hostname))
  const options: RequestOptions = {
    protocol: url.protocol,
    hostname,
    port: url.port,
    method: outgoing.method,
    path: url.pathname.replace(/\/$/, '') + outgoing.path,
    headers: mergeHeaders(
      { host: url.host, 'accept-encoding': 'identity' },
      headers,
      outgoing.headers,
      lengthOf(outgoing),
    ),
    agent: false,
    lookup: checkedLookup(allowAddresses),
    signal,
  }
  return new Promise((resolve, reject) => {
    let isConnected = false
    const request = url.protocol === 'https:' ? requestHttps(options) : requestHttp(options)
    request.once('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        isConnected = true
      })
    })
    request.once('response', resolve)
    request.on('error', (cause: NodeJS.ErrnoException) => {
      if (isConnected) reject(cause)
      else if (signal.aborted) reject(new UnreachableError('no connection in time', { cause }))
      else reject(new UnreachableError(cause.code ?? cause.message, { cause }))
    })
    request.end(outgoing.body)
  })
}

function lengthOf({ body }: OutgoingRequest): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(body.length) }
}

/** Later headers win; names are the same in any case. */
function mergeHeaders(...sets: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const entries = sets.flatMap((set) => Object.entries(set).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(entries)
}

/**
 * Reads a body.
 * @returns undefined when it is larger than `maxBytes`; the rest of it is not received
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    // Leaving the loop destroys the response.
    if (bytes > maxBytes) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}
