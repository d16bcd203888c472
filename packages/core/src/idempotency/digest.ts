import { createHash } from 'node:crypto'
import type { JsonObject } from '@synchub/protocol'
import canonicalize from 'canonicalize'
import type { IdempotencyClaim } from '../call/call-record.js'

/**
 * Digests a caller's key, and what it is used for: tool and arguments in canonical form (RFC 8785), so that the order of names
 * does not matter. `_meta` is left out: a repeat may come with another timeout.
 */
export function digestIdempotency(key: string, agent: string, tool: string, args: JsonObject): IdempotencyClaim {
  return { keyDigest: sha256(key), payloadDigest: sha256(canonicalize([agent, tool, args]) ?? '') }
}

/** The digest under which the claim of a key is found. */
export function digestKey(key: string): string {
  return sha256(key)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
