import { AnswerShapeError } from '../json-rpc/answer-shape.js'
import { isJsonObject, type JsonObject } from '../json-rpc/frame.js'
import { type ContentItem, parseContentItem } from './content.js'

/** Tokens of a language model that a call used; total = prompt + completion (S0.3). */
export interface TokenUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
}

/** What a tool answered: the same shape over every connector. */
export interface ToolResult {
  readonly content: readonly ContentItem[]
  readonly structuredContent?: JsonObject
  /** True when the tool ran and failed (S2.3). */
  readonly isError: boolean
  readonly tokenUsage?: TokenUsage
}

/** The `result` of a `tools/call` on the native surface (S0.3). */
export interface CallResult {
  readonly content: readonly ContentItem[]
  readonly structuredContent?: unknown
  readonly isError: boolean
  readonly _meta: {
    readonly callId: string
    readonly traceId: string
    readonly executionTimeMs: number
    readonly tokenUsage?: TokenUsage
    /** The call as a span of its trace (W3C Trace Context), where the trace has such a name. */
    readonly traceparent?: string
    /** True when this answer is that of an earlier call with the same idempotency key. */
    readonly replayed?: true
  }
}

/**
 * Checks what an agent sent as the result of a tool. A missing field is never filled with a plausible value (S4.8).
 * @throws AnswerShapeError naming the place
 */
export function parseToolResult(value: unknown): ToolResult {
  if (!isJsonObject(value)) throw new AnswerShapeError('result', 'an object')
  const { content, structuredContent, isError, _meta: meta } = value
  const items = content === undefined ? undefined : parseContent(content)
  if (structuredContent !== undefined && !isJsonObject(structuredContent)) {
    throw new AnswerShapeError('result.structuredContent', 'an object')
  }
  if (items === undefined && structuredContent === undefined) {
    throw new AnswerShapeError('result', 'content or structuredContent')
  }
  if (isError !== undefined && typeof isError !== 'boolean') throw new AnswerShapeError('result.isError', 'a boolean')
  const tokenUsage = isJsonObject(meta) ? parseTokenUsage(meta.tokenUsage) : undefined
  return {
    content: items ?? [],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: isError ?? false,
    ...(tokenUsage === undefined ? {} : { tokenUsage }),
  }
}

function parseContent(value: unknown): readonly ContentItem[] {
  if (!Array.isArray(value)) throw new AnswerShapeError('result.content', 'an array')
  return value.map((item: unknown, index) => parseContentItem(item, `result.content.${index}`))
}

/**
 * Checks a token usage: whole numbers, and the total is the sum (S0.3); undefined stays undefined.
 * @throws AnswerShapeError naming the place
 */
export function parseTokenUsage(value: unknown): TokenUsage | undefined {
  if (value === undefined) return undefined
  const place = 'result._meta.tokenUsage'
  if (!isJsonObject(value)) throw new AnswerShapeError(place, 'an object')
  const { promptTokens, completionTokens, totalTokens } = value
  if (!isCount(promptTokens)) throw new AnswerShapeError(`${place}.promptTokens`, 'a whole number from 0')
  if (!isCount(completionTokens)) throw new AnswerShapeError(`${place}.completionTokens`, 'a whole number from 0')
  if (totalTokens !== promptTokens + completionTokens) {
    throw new AnswerShapeError(`${place}.totalTokens`, 'promptTokens + completionTokens')
  }
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
