import { hash } from 'node:crypto'
import { HubError } from '@synchub/protocol'
import { LOCAL_PRINCIPAL, type Principal } from './principal.js'

/** One API key as the configuration holds it: the key itself is never stored, only its hash. */
export interface ApiKeyEntry extends Principal {
  readonly name: string
  /** SHA-256 of the key, hex. A key has 256 random bits, so a slow hash would add nothing. */
  readonly sha256: string
}

/** Turns the `Authorization` header of a request into a principal. */
export interface Authenticator {
  /**
   * @param authorization - the header as it came, undefined where there is none
   * @throws HubError UNAUTHENTICATED, the same for a missing, malformed and unknown key
   */
  authenticate(authorization: string | undefined): Principal
}

/** An authenticator that also knows its keys by their hash: a session remembers no more than that. */
export interface KeyAuthenticator extends Authenticator {
  /** The principal of the key with this hash (SHA-256, hex); undefined once the key is configured no more. */
  principalOf(sha256: string): Principal | undefined
}

/** The authenticator of a hub whose access mode is `none`: everybody is the one local principal. */
export const openAuthenticator: Authenticator = { authenticate: () => LOCAL_PRINCIPAL }

/** The authenticator of access mode `keys`. Looks up by hash, so the time taken says nothing about a key. */
export function createKeyAuthenticator(entries: readonly ApiKeyEntry[]): KeyAuthenticator {
  const principals = new Map(
    entries.map(({ sha256, tenant, subject, agent, scopes }) => [sha256, { tenant, subject, agent, scopes }]),
  )
  return {
    principalOf: (sha256) => principals.get(sha256),
    authenticate(authorization) {
      const key = readBearer(authorization)
      const principal = key === undefined ? undefined : principals.get(hashApiKey(key))
      if (principal === undefined) throw new HubError('UNAUTHENTICATED', 'no valid API key was sent')
      return principal
    },
  }
}

/** The key of an `Authorization: Bearer` header; undefined where it is none. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
}

/** The hash under which a key is configured: SHA-256, hex. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}
