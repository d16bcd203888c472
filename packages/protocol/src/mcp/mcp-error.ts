import { AnsweredError } from '../errors/answered-error.js'
import type { ErrorCode } from '../errors/error-code.js'
import { toErrorObject } from '../errors/error-object.js'
import { HubError } from '../errors/hub-error.js'
import type { JsonObject } from '../json-rpc/frame.js'
import type { Era } from './revision.js'
import { RevisionError } from './revision-error.js'

/** A resource that is not there: each era has its own code for it, and both name the URI. */
export class ResourceMissing extends AnsweredError {
  override readonly name = 'ResourceMissing'
  readonly uri: string

  constructor(uri: string) {
    super(`there is no resource ${uri}`)
    this.uri = uri
  }
}

/** A tool, prompt or task that a parameter names and that is not there: a wrong parameter in MCP, not a wrong method. */
export class NameUnknown extends AnsweredError {
  override readonly name = 'NameUnknown'
  /** The failure as the other surfaces tell it; its title is the same on each of them. */
  readonly failure: HubError

  constructor(kind: 'tool' | 'prompt' | 'task', name: string, failure: HubError) {
    super(`Unknown ${kind}: ${name}`)
    this.failure = failure
  }
}

/** Everything that a request can be refused with. */
export type McpError = HubError | RevisionError | ResourceMissing | NameUnknown

/** The modern revision keeps -32000 to -32099 for itself: our own codes of that range have others there, and one is its own. */
const MODERN_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  HITL_APPROVAL_REQUIRED: -31_001,
  TOKEN_BUDGET_EXCEEDED: -31_002,
  COMPENSATING_TX_TRIGGERED: -31_003,
  CAPABILITY_MISSING: -32_021,
}

/** What the modern revision answers with another HTTP status than 200. */
const MODERN_STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  PARSE_ERROR: 400,
  INVALID_REQUEST: 400,
  METHOD_NOT_FOUND: 404,
  CAPABILITY_MISSING: 400,
}

/** What is wrong with the form of a request, by the titles that every surface has: clients branch on those alone. */
const TITLES: Readonly<Record<RevisionError['kind'], ErrorCode>> = {
  HEADER_MISMATCH: 'INVALID_REQUEST',
  MISSING_CAPABILITY: 'CAPABILITY_MISSING',
  UNSUPPORTED_REVISION: 'INVALID_REQUEST',
  BAD_METADATA: 'INVALID_PARAMS',
  BAD_REQUEST: 'INVALID_REQUEST',
}

/** What is thrown, as an error that may be told. */
export function toMcpError(thrown: unknown): McpError {
  const isOwn = thrown instanceof RevisionError || thrown instanceof ResourceMissing || thrown instanceof NameUnknown
  return isOwn ? thrown : HubError.from(thrown)
}

/** The `error` member of a response. */
export function encodeMcpError(error: McpError, era: Era, instance: string): JsonObject {
  if (error instanceof RevisionError) {
    const { code, message } = error
    const { data } = toErrorObject(new HubError(TITLES[error.kind], message), instance)
    return { code, message, data: { ...data, ...error.data } }
  }
  if (error instanceof ResourceMissing) {
    const { message, data } = toErrorObject(new HubError('NOT_FOUND', error.message), instance)
    return { code: era === 'modern' ? -32_602 : -32_002, message, data: { ...data, uri: error.uri } }
  }
  if (error instanceof NameUnknown) {
    return { code: -32_602, message: error.message, data: toErrorObject(error.failure, instance).data }
  }
  const object = toErrorObject(error, instance)
  return era === 'modern' ? { ...object, code: MODERN_CODES[error.code] ?? object.code } : { ...object }
}

/** The HTTP status of an error response: the transport's own only where the revision says so. */
export function mcpStatusOf(error: McpError, era: Era): number {
  // In the handshake era metadata are parameters like others, and wrong ones are told on 200.
  if (error instanceof RevisionError) return era === 'legacy' && error.kind === 'BAD_METADATA' ? 200 : 400
  if (!(error instanceof HubError) || era === 'legacy') return 200
  return MODERN_STATUSES[error.code] ?? 200
}

/**
 * The HTTP status of the refusal of what is no request at all. In the modern era each such message is refused by HTTP too: where params are
 * no object, say, there are no metadata either.
 */
export function malformedStatusOf(era: Era): number {
  return era === 'modern' ? 400 : 200
}
