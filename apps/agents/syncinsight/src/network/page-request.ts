import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { ResolvedAddress } from './resolution.js'

/**
 * Sends one GET over a connection of its own, pinned to addresses that were checked: the name is not resolved a second time, so
 * an answer that changes between check and use (DNS rebinding) changes nothing. Redirects are not followed and proxies from
 * the environment are not used.
 */
export async function requestPage(
  target: URL,
  addresses: readonly ResolvedAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    method: 'GET',
    agent: false,
    lookup: pinTo(addresses),
    signal,
    headers: {
      accept: 'text/html, text/markdown, text/plain;q=0.9, */*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': 'SyncInsight',
    },
  }
  return new Promise((resolve, reject) => {
    const request: ClientRequest =
      target.protocol === 'https:' ? requestHttps(target, options) : requestHttp(target, options)
    request.once('response', resolve)
    request.on('error', reject)
    request.end()
  })
}

function pinTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const first = addresses[0]
    if (options.all === true) callback(null, [...addresses])
    else if (first === undefined) callback(new Error('no address was checked'), '')
    else callback(null, first.address, first.family)
  }
}
