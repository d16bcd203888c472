import { createHash } from 'node:crypto'
import type { Principal } from '@synchub/auth'
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

/**
 * A key as its caller means it. That of an agent at work belongs to the call that it works on: a later attempt finds what an earlier
 * one began, and no other run and no caller of the same owner ever meets it.
 */
export function ownedKey(key: string, { run }: Principal): string {
  // No caller's key holds a blank.
  return run === undefined ? key : `${run.callId} ${key}`
}

/** The digest under which the claim of a key is found. */
export function digestKey(key: string): string {
  return sha256(key)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
