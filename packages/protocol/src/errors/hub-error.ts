import { AnsweredError } from './answered-error.js'
import { type ErrorCode, type ErrorDefinition, type ErrorLayer, errorDefinition } from './error-code.js'

/** Members that some failures add to `error.data`; closed, so that nothing secret slips in. */
export interface ErrorDetails {
  /** One sentence about this occurrence (RFC 9457 `detail`); the reason when absent. */
  readonly detail?: string
  /** Place of the bad parameter, e.g. `fields.0.type` (S2). */
  readonly path?: string
  /** What was expected there, e.g. `string` (S2). */
  readonly expected?: string
  /** Ticket that an administrator decides (S0.5). */
  readonly approvalTicketId?: string
  /** RFC 9457 `instance`; `/tools/call/<tool>` for calls. */
  readonly instance?: string
  readonly nextStep?: string
  /** Where it belongs, where that is another layer than the title's own (S4.4). */
  readonly layer?: ErrorLayer
  readonly callId?: string
  readonly traceId?: string
  /** True where this is the outcome of an earlier call with the same idempotency key. */
  readonly replayed?: true
  /** Where the outcome of a call that goes on can be found. */
  readonly links?: Readonly<Record<string, string>>
  /** Seconds to wait before the next try. */
  readonly retryAfterSeconds?: number
  /** The scope that was missing. */
  readonly scope?: string
  /** What a client would have to declare, as MCP's `ClientCapabilities`. */
  readonly requiredCapabilities?: Readonly<Record<string, unknown>>
  /** The bound that was passed, in its unit (bytes, levels, items). */
  readonly limit?: number
}

/** Only V8 has it; elsewhere a fault has no stack either. */
const stacks: ErrorConstructor & { captureStackTrace?(target: object, below: unknown): void } = Error

/** Options of {@link HubError}. */
export interface HubErrorOptions extends ErrorDetails {
  /** What caused it, for our logs only: never shown to a caller. */
  readonly cause?: unknown
}

/**
 * Every failure of SyncHub: a title of the error table, a reason for people, typed details. What caused it stays in `cause`
 * and never leaves the process. Only an INTERNAL_ERROR, which tells of a fault, knows the calls that led to it.
 */
export class HubError extends AnsweredError {
  override readonly name = 'HubError'
  readonly code: ErrorCode
  /** The reason alone; `message` is `<name>: <reason>` (S0.5). */
  readonly reason: string
  readonly details: ErrorDetails

  constructor(code: ErrorCode, reason: string, options: HubErrorOptions = {}) {
    const { cause, ...details } = options
    super(`${errorDefinition(code).name}: ${reason}`, cause === undefined ? undefined : { cause })
    if (code === 'INTERNAL_ERROR') stacks.captureStackTrace?.(this, HubError)
    this.code = code
    this.reason = reason
    this.details = details
  }

  /** The row of the error table for this failure. */
  get definition(): ErrorDefinition {
    return errorDefinition(this.code)
  }

  /** The same failure with more details; given ones win over those it had. */
  with(details: ErrorDetails): HubError {
    return new HubError(this.code, this.reason, { ...this.details, ...details, cause: this.cause })
  }

  /** The one place where a foreign throw becomes ours: an INTERNAL_ERROR that says nothing of its cause to the outside. */
  static from(thrown: unknown, reason = 'the request could not be completed', details: ErrorDetails = {}): HubError {
    return thrown instanceof HubError ? thrown : new HubError('INTERNAL_ERROR', reason, { ...details, cause: thrown })
  }
}
