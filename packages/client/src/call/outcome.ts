import {
  AnswerShapeError,
  type CallResult,
  type CallView,
  type ContentItem,
  type ErrorDetails,
  fromErrorObject,
  type HubError,
  isJsonObject,
  type JsonObject,
  parseTokenUsage,
  type TokenUsage,
} from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'

/** The result of a `tools/call` that was answered as JSON (S0.3). */
export function resultOfAnswer(baseUrl: string, value: unknown): CallResult {
  if (!isJsonObject(value) || !isJsonObject(value._meta)) throw notWhole(baseUrl)
  const { callId, traceId, executionTimeMs, tokenUsage } = value._meta
  return buildResult(baseUrl, {
    callId,
    traceId,
    executionTimeMs,
    tokenUsage,
    content: value.content,
    result: value.structuredContent,
    isError: value.isError,
  })
}

/** The result in the data of a `complete` event, or in the view of a completed call: both name its parts alike. */
export function resultOfCompletion(baseUrl: string, completion: JsonObject | CallView): CallResult {
  const { callId, traceId, executionTimeMs, tokenUsage, content, result, isError } = completion
  return buildResult(baseUrl, { callId, traceId, executionTimeMs, tokenUsage, content, result, isError })
}

/**
 * The result of a call that has ended.
 * @param known - what is known of the call beside its record, for a failure
 * @throws HubError what it ended with, where that is no result
 */
export function resultOfView(baseUrl: string, view: CallView, known: Pick<ErrorDetails, 'replayed'> = {}): CallResult {
  if (view.state === 'completed') return resultOfCompletion(baseUrl, view)
  throw failureOf(view.error, { ...known, callId: view.callId, traceId: view.traceId })
}

/** The failure that a call ended with, naming the call. */
export function failureOf(error: unknown, known: Pick<ErrorDetails, 'callId' | 'traceId' | 'replayed'>): HubError {
  return fromErrorObject(error).with(known)
}

interface ResultParts {
  readonly callId: unknown
  readonly traceId: unknown
  readonly executionTimeMs: unknown
  readonly tokenUsage: unknown
  readonly content: unknown
  readonly result: unknown
  readonly isError: unknown
}

/** A part that is missing is a broken contract and never becomes a plausible value (S4.8). */
function buildResult(baseUrl: string, parts: ResultParts): CallResult {
  const { callId, traceId, executionTimeMs, content = [], result, isError } = parts
  if (typeof callId !== 'string' || typeof traceId !== 'string' || typeof executionTimeMs !== 'number') {
    throw notWhole(baseUrl)
  }
  if (!isContent(content) || typeof isError !== 'boolean') throw notWhole(baseUrl)
  const tokenUsage = readTokenUsage(baseUrl, parts.tokenUsage)
  return {
    content,
    ...(result === undefined ? {} : { structuredContent: result }),
    isError,
    _meta: { callId, traceId, executionTimeMs, ...(tokenUsage === undefined ? {} : { tokenUsage }) },
  }
}

function readTokenUsage(baseUrl: string, value: unknown): TokenUsage | undefined {
  try {
    return parseTokenUsage(value)
  } catch (thrown) {
    if (thrown instanceof AnswerShapeError) throw notWhole(baseUrl, thrown)
    throw thrown
  }
}

function isContent(value: unknown): value is readonly ContentItem[] {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && typeof item.type === 'string')
}

function notWhole(baseUrl: string, cause?: unknown): HubError {
  return notOurHub(baseUrl, 'answered a call with a result that is not whole', cause)
}
