import ipaddr from 'ipaddr.js'
import { classifyAddress } from './address.js'

/** What a configuration allows for one URL source. */
export interface TargetRules {
  /** The URL of the configuration. */
  readonly url: URL
  /** Whether the host of `url`, and no other, may be a loopback or private address. */
  readonly allowPrivate: boolean
}

/** Other ports belong to databases and consoles, which a redirect must not reach. */
const DEFAULT_PORTS = new Set(['', '80', '443'])

/**
 * Checks a URL before anything is resolved: scheme, credentials, port, and the address where the host is one already. Used for
 * the configured URL and again for every redirect.
 * @returns what is wrong with it, as the end of a sentence; undefined when nothing is
 */
export function checkTarget(target: URL, rules: TargetRules): string | undefined {
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    return `must be http or https, not ${target.protocol}`
  if (rules.url.protocol === 'https:' && target.protocol === 'http:') return 'must not fall back from https to http'
  if (target.username !== '' || target.password !== '') return 'must hold no credentials'
  if (target.hostname === '') return 'must name a host'
  const isConfigured = target.host === rules.url.host
  if (!isConfigured && !DEFAULT_PORTS.has(target.port)) return `must not lead to port ${target.port}`
  const literal = literalAddress(target)
  return literal === undefined ? undefined : checkAddress(literal, isPrivateAllowed(target, rules))
}

/** Whether `target` may be a loopback or private address under `rules`: only the very host and port that were configured. */
export function isPrivateAllowed(target: URL, rules: TargetRules): boolean {
  return rules.allowPrivate && target.host === rules.url.host
}

/**
 * Checks one address that a host stands for.
 * @returns what is wrong with it, as the end of a sentence; undefined when it may be reached
 */
export function checkAddress(address: string, privateAllowed: boolean): string | undefined {
  const kind = classifyAddress(address)
  if (kind === 'public' || (kind === 'private' && privateAllowed)) return undefined
  if (kind === 'private')
    return `must not lead to the private address ${address}; set allowPrivate if this host is meant`
  return `must not lead to ${address}, which is no public address`
}

/** The IP address that a URL names as its host, without brackets; undefined for a name. */
export function literalAddress(target: URL): string | undefined {
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(host) ? host : undefined
}
