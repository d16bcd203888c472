import { ERROR_CODES, type ErrorCode, type ErrorLayer, errorDefinition, isErrorCode } from './error-code.js'
import { type ErrorDetails, HubError } from './hub-error.js'

const TYPE_PREFIX = 'https://empasy.io/errors/'

/** `error.data`: the five members of RFC 9457, then ours (S0.5, S4.4). */
export interface ProblemData extends ErrorDetails {
  readonly type: string
  readonly title: ErrorCode
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly layer: ErrorLayer
  readonly nextStep: string
}

/** The `error` member of a JSON-RPC response. */
export interface JsonRpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data: ProblemData
}

/** The problem type of a title: `HITL_APPROVAL_REQUIRED` gives `https://empasy.io/errors/hitl-approval-required`. */
export function problemType(code: ErrorCode): string {
  return TYPE_PREFIX + code.toLowerCase().replaceAll('_', '-')
}

/** Encodes a failure for the native surface. `instance` is used where the failure names none of its own. */
export function toErrorObject(error: HubError, instance: string): JsonRpcErrorObject {
  const definition = error.definition
  return {
    code: definition.rpcCode,
    message: error.message,
    data: {
      type: problemType(error.code),
      title: error.code,
      status: definition.status,
      detail: error.reason,
      instance,
      layer: definition.layer,
      nextStep: definition.nextStep,
      ...error.details,
    },
  }
}

/**
 * Reads an error object that another process sent. Branches on `data.title`; where that is absent (a plain MCP server, say) the
 * code decides, and a code that the table does not know becomes `fallback`.
 */
export function fromErrorObject(value: unknown, fallback: ErrorCode = 'INTERNAL_ERROR'): HubError {
  const error = isRecord(value) ? value : {}
  const data = isRecord(error.data) ? error.data : {}
  const code = isErrorCode(data.title) ? data.title : (codeOfNumber(error.code) ?? fallback)
  const message = typeof error.message === 'string' ? error.message : 'no reason was given'
  return new HubError(code, stripName(code, message), detailsOf(data))
}

function codeOfNumber(rpcCode: unknown): ErrorCode | undefined {
  return ERROR_CODES.find((code) => errorDefinition(code).rpcCode === rpcCode)
}

function stripName(code: ErrorCode, message: string): string {
  const prefix = `${errorDefinition(code).name}: `
  return message.startsWith(prefix) ? message.slice(prefix.length) : message
}

const TEXT_DETAILS = [
  'detail',
  'path',
  'expected',
  'approvalTicketId',
  'instance',
  'nextStep',
  'callId',
  'traceId',
  'scope',
] as const
const NUMBER_DETAILS = ['retryAfterSeconds', 'limit'] as const

function detailsOf(data: Record<string, unknown>): ErrorDetails {
  const details: Record<string, unknown> = {}
  for (const key of TEXT_DETAILS) if (typeof data[key] === 'string') details[key] = data[key]
  for (const key of NUMBER_DETAILS) if (Number.isFinite(data[key])) details[key] = data[key]
  if (data.replayed === true) details.replayed = true
  if (isRecord(data.links)) details.links = textsOf(data.links)
  if (isRecord(data.requiredCapabilities)) details.requiredCapabilities = data.requiredCapabilities
  return details
}

function textsOf(record: Record<string, unknown>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
