import type { JsonObject } from '../json-rpc/frame.js'

/** Refusals that exist in MCP alone and are about the form of a request, not about what it asks for. */
const CODES = {
  HEADER_MISMATCH: -32020,
  MISSING_CAPABILITY: -32021,
  UNSUPPORTED_REVISION: -32022,
  BAD_METADATA: -32602,
  BAD_REQUEST: -32600,
} as const

/** A request that does not keep the form of the revision that it claims. */
export class RevisionError extends Error {
  override readonly name = 'RevisionError'
  readonly kind: keyof typeof CODES
  readonly code: number
  readonly data: JsonObject | undefined

  constructor(kind: RevisionError['kind'], message: string, data?: JsonObject) {
    super(message)
    this.kind = kind
    this.code = CODES[kind]
    this.data = data
  }
}

/**
 * What a server cannot give to a client that does not declare these capabilities.
 * @param requiredCapabilities - a `ClientCapabilities` object, as the error's data names it
 */
export function missingCapability(reason: string, requiredCapabilities: JsonObject): RevisionError {
  return new RevisionError('MISSING_CAPABILITY', `Missing required client capability: ${reason}`, {
    requiredCapabilities,
  })
}
