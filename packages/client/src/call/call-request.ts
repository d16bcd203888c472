import { encodeRpcRequest } from '../rpc/rpc-request.js'
import type { CallIdentity } from './call-options.js'

/** A call, encoded once: what is sent again after an outage is the same to the last byte. */
export interface CallRequest {
  readonly tool: string
  readonly idempotencyKey: string
  /** The key is the caller's, not one that was made up for this call alone. */
  readonly isOwnKey: boolean
  readonly body: string
}

/** Encodes a `tools/call` (S0.2) that carries an idempotency key in any case. */
export function encodeCall(
  tool: string,
  args: unknown,
  options: CallIdentity & { readonly callerAgent?: string | undefined; readonly timeoutMs?: number | undefined },
): CallRequest {
  const { traceId, callerAgent, targetAgent, timeoutMs, parentCallId } = options
  const idempotencyKey = options.idempotencyKey ?? createIdempotencyKey()
  const meta = { traceId, callerAgent, targetAgent, timeoutMs, idempotencyKey, parentCallId }
  const body = encodeRpcRequest('tools/call', { name: tool, arguments: args, _meta: meta })
  return { tool, idempotencyKey, isOwnKey: options.idempotencyKey !== undefined, body }
}

/** 128 random bits in hex. Not crypto.randomUUID: browsers have that only on pages from https or localhost. */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
