/** Refusals that exist in MCP alone and are about the form of a request, not about what it asks for. */
const CODES = {
  HEADER_MISMATCH: -32020,
  UNSUPPORTED_REVISION: -32022,
  BAD_METADATA: -32602,
  BAD_REQUEST: -32600,
} as const

/** A request that does not keep the form of the revision that it claims; HTTP status 400 in both eras. */
export class RevisionError extends Error {
  override readonly name = 'RevisionError'
  readonly code: number
  readonly data: { readonly supported: readonly string[]; readonly requested: string } | undefined

  constructor(kind: keyof typeof CODES, message: string, data?: RevisionError['data']) {
    super(message)
    this.code = CODES[kind]
    this.data = data
  }
}
