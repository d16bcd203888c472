import { type ErrorCode, HubError, type JsonObject, toErrorObject } from '@synchub/protocol'
import type { Era } from './revision.js'
import { RevisionError } from './revision-error.js'

/** A resource that is not there: each era has its own code for it, and both name the URI. */
export class ResourceMissing extends Error {
  override readonly name = 'ResourceMissing'
  readonly uri: string

  constructor(uri: string) {
    super(`there is no resource ${uri}`)
    this.uri = uri
  }
}

/** Everything that a request can be refused with. */
export type McpError = HubError | RevisionError | ResourceMissing

/** The modern revision keeps -32000 to -32099 for itself, so our own codes of that range have others there. */
const MODERN_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  HITL_APPROVAL_REQUIRED: -31_001,
  TOKEN_BUDGET_EXCEEDED: -31_002,
  COMPENSATING_TX_TRIGGERED: -31_003,
}

/** What the modern revision answers with another HTTP status than 200. */
const MODERN_STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  PARSE_ERROR: 400,
  INVALID_REQUEST: 400,
  METHOD_NOT_FOUND: 404,
}

/** What is thrown, as an error that may be told. */
export function toMcpError(thrown: unknown): McpError {
  return thrown instanceof RevisionError || thrown instanceof ResourceMissing ? thrown : HubError.from(thrown)
}

/** The `error` member of a response. */
export function encodeError(error: McpError, era: Era, instance: string): JsonObject {
  if (error instanceof RevisionError) {
    const { code, message, data } = error
    return { code, message, ...(data === undefined ? {} : { data }) }
  }
  if (error instanceof ResourceMissing) {
    const { message, data } = toErrorObject(new HubError('NOT_FOUND', error.message), instance)
    return { code: era === 'modern' ? -32_602 : -32_002, message, data: { ...data, uri: error.uri } }
  }
  const object = toErrorObject(error, instance)
  return era === 'modern' ? { ...object, code: MODERN_CODES[error.code] ?? object.code } : { ...object }
}

/** The HTTP status of an error response: the transport's own only where the revision says so. */
export function httpStatusOf(error: McpError, era: Era): number {
  if (error instanceof RevisionError) return 400
  if (error instanceof ResourceMissing || era === 'legacy') return 200
  return MODERN_STATUSES[error.code] ?? 200
}
