import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Principal } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import canonicalize from 'canonicalize'

/** What a state holds for; nobody else, and nothing else, may bring it. */
export interface StateBinding {
  readonly principal: Pick<Principal, 'tenant' | 'subject'>
  /** Method and parameters as they must come again. */
  readonly request: JsonObject
}

/** What a state names, and until when it holds. */
export interface StateContent {
  /** Has no `~` in it. */
  readonly name: string
  readonly expiresAtMs: number
}

/**
 * Writes a `requestState` of MCP 2026-07-28: `<name>~<expiry>~<signature>`. The signature (HMAC-SHA-256) also covers what the state is
 * bound to, which comes again by itself and is not in it.
 */
export function signState(content: StateContent, binding: StateBinding, key: Buffer): string {
  const text = `${content.name}~${content.expiresAtMs.toString(36)}`
  return `${text}~${signatureOf(text, binding, key).toString('base64url')}`
}

/** The name in a state; undefined for one that was not signed with this key for this binding, or has expired. */
export function readState(state: string, binding: StateBinding, key: Buffer, nowMs: number): string | undefined {
  const [name = '', expiry = '', signature = '', ...more] = state.split('~')
  if (more.length > 0) return undefined
  const expected = signatureOf(`${name}~${expiry}`, binding, key).toString('base64url')
  // As text: several texts in base64url stand for the same bytes.
  if (signature.length !== expected.length || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) {
    return undefined
  }
  return Number.parseInt(expiry, 36) > nowMs ? name : undefined
}

function signatureOf(text: string, { principal, request }: StateBinding, key: Buffer): Buffer {
  const { tenant, subject } = principal
  return createHmac('sha256', key)
    .update(canonicalize([text, tenant, subject, request]) ?? '')
    .digest()
}
