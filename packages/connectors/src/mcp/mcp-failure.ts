import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import type { AgentOutcome } from '@synchub/core'
import { fromErrorObject, HubError, isErrorCode, isJsonObject } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { cutText } from '../answer/cut-text.js'
import { messageOf, outcomeOfThrown } from '../answer/outcome.js'
import { ExchangeError } from '../http/exchange-error.js'
import { isFormatError } from './format-error.js'

/** Codes that mean the same everywhere: JSON-RPC's own. */
const STANDARD_CODES: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32603])

/** JSON-RPC code of MCP 2026-07-28: the agent would have to ask something that the caller has not said it can answer. */
const MISSING_CAPABILITY = -32021

/** Statuses that say nothing of the session. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429])

/** The client tells all that is wrong with a result, which may be more than anybody reads. */
const MAX_REASON_LENGTH = 300

/** Failures of the client that say: what the server sent is not what its revision of MCP says. */
const BROKEN_CODES: ReadonlySet<string> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.ClientHttpUnexpectedContent,
  SdkErrorCode.CapabilityNotSupported,
  SdkErrorCode.InputRequiredRoundsExceeded,
])

/** A session could not be opened, so the tool was surely not asked. */
export class SessionStartError extends Error {
  override readonly name = 'SessionStartError'

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }
}

/**
 * The outcome that an error of the MCP client means; errors of our own side are thrown on.
 * @param thrown - what a request of the client was rejected with
 */
export function outcomeOfMcp(thrown: unknown): AgentOutcome {
  if (thrown instanceof SessionStartError) return outcomeOfStart(thrown)
  if (thrown instanceof ProtocolError) {
    // An error of ours in the place of an answer (see ObservedTransport): JSON cannot bring one.
    return thrown.data instanceof Error ? outcomeOfThrown(thrown.data) : { kind: 'error', error: errorOf(thrown) }
  }
  if (thrown instanceof SdkHttpError) return outcomeOfStatus(thrown)
  if (thrown instanceof SdkError) return outcomeOfClient(thrown)
  if (thrown instanceof Error && thrown.message === 'Not connected') {
    return outcomeOfThrown(new ExchangeError('unreachable', 'the connection to the agent is closed', thrown))
  }
  return outcomeOfThrown(isFormatError(thrown) ? new BrokenAnswerError('the agent sent what is no JSON-RPC') : thrown)
}

/** JSON-RPC codes of MCP for a resource that is not there: that of 2025-11-25, and that of 2026-07-28. */
const MISSING_RESOURCE_CODES: ReadonlySet<number> = new Set([-32002, -32602])

/** Whether an answer to `resources/read` says that there is no such resource. */
export function isResourceMissing(thrown: unknown): boolean {
  return thrown instanceof ProtocolError && MISSING_RESOURCE_CODES.has(thrown.code) && !(thrown.data instanceof Error)
}

/** An answer after which the session is better opened anew: the server has become another one, perhaps. */
export function isDoubtful(thrown: unknown): boolean {
  return thrown instanceof SdkHttpError && thrown.status >= 400 && thrown.status < 500 && !REFUSALS.has(thrown.status)
}

/**
 * The server does not know the session that it was asked in (any more), so it has done nothing. Its revision says 404; servers made
 * after the official example say 400 and name the session, or that nobody has initialised it.
 */
export function isSessionUnknown(thrown: unknown): boolean {
  if (!(thrown instanceof SdkHttpError)) return false
  return (
    thrown.status === 404 || (thrown.status === 400 && /session|initiali[sz]|protocol version/i.test(bodyOf(thrown)))
  )
}

function outcomeOfStart({ cause, message }: SessionStartError): AgentOutcome {
  const outcome = outcomeOfOpening(cause)
  if (outcome?.kind === 'aborted') return outcome
  if (outcome?.kind === 'error' && outcome.error.code === 'UNAUTHENTICATED') return outcome
  const reason = outcome !== undefined && 'error' in outcome ? outcome.error.reason : message
  return outcomeOfThrown(new ExchangeError('unreachable', reason, cause))
}

/** Undefined for what the client says in words only: an unknown version of the protocol, for example. */
function outcomeOfOpening(cause: unknown): AgentOutcome | undefined {
  try {
    return outcomeOfMcp(cause)
  } catch {
    return undefined
  }
}

/**
 * The error object of an MCP server. A title of our table is believed. Of the numbers only those of JSON-RPC are: servers use the
 * rest of the range for what they like, and -32001 of a stranger is no approval.
 */
function errorOf({ code, message, data }: ProtocolError): HubError {
  if (code === MISSING_CAPABILITY) {
    const required = isJsonObject(data) && isJsonObject(data.requiredCapabilities) ? data.requiredCapabilities : {}
    return new HubError('CAPABILITY_MISSING', withoutName(message), { requiredCapabilities: required })
  }
  const isTitled = isJsonObject(data) && isErrorCode(data.title)
  if (isTitled || STANDARD_CODES.has(code)) return fromErrorObject({ code, message: withoutName(message), data })
  return new HubError('INTERNAL_ERROR', `${message} (code ${code})`)
}

/** SDK servers put the number and the name of the error before its message. */
function withoutName(message: string): string {
  return message.replace(/^MCP error -?\d+: /, '')
}

function outcomeOfStatus(thrown: SdkHttpError): AgentOutcome {
  const { status } = thrown
  const reason = `the agent answers HTTP ${status}`
  if (status === 401 || status === 403) return { kind: 'error', error: new HubError('UNAUTHENTICATED', reason) }
  if (status === 429 || status === 503) return outcomeOfThrown(new ExchangeError('unreachable', reason))
  if (status === 502 || status === 504) {
    return outcomeOfThrown(new ExchangeError('lost', `a gateway answered HTTP ${status} in the place of the agent`))
  }
  const error = rpcErrorIn(bodyOf(thrown))
  if (error !== undefined) return { kind: 'error', error: errorOf(error) }
  return outcomeOfThrown(new BrokenAnswerError(`${reason} without a JSON-RPC error`))
}

/** Servers may answer an error with an HTTP status, which the client does not look behind. */
function rpcErrorIn(text: string): ProtocolError | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : {}
    if (typeof error.code !== 'number' || typeof error.message !== 'string') return undefined
    return new ProtocolError(error.code, error.message, error.data)
  } catch {
    return undefined
  }
}

function outcomeOfClient(error: SdkError): AgentOutcome {
  if (error.code === SdkErrorCode.NotConnected) {
    return outcomeOfThrown(new ExchangeError('unreachable', 'the connection to the agent is closed', error))
  }
  if (BROKEN_CODES.has(error.code)) {
    return outcomeOfThrown(new BrokenAnswerError(cutText(error.message, MAX_REASON_LENGTH), { cause: error }))
  }
  if (error.cause !== undefined) return outcomeOfMcp(error.cause)
  return outcomeOfThrown(new ExchangeError('lost', error.message, error))
}

function bodyOf({ data }: SdkHttpError): string {
  return typeof data.text === 'string' ? data.text : ''
}
