import { isJsonObject, type JsonObject } from '../json-rpc/frame.js'
import type { ContentItem } from './content.js'

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
    /** True when this answer is that of an earlier call with the same idempotency key. */
    readonly replayed?: true
  }
}

/** A result that does not keep its contract; `path` names the place. */
export class ToolResultError extends Error {
  override readonly name = 'ToolResultError'
  readonly path: string
  readonly expected: string

  constructor(path: string, expected: string) {
    super(`the agent's result is broken at ${path}: expected ${expected}`)
    this.path = path
    this.expected = expected
  }
}

/**
 * Checks what an agent sent as the result of a tool. A missing field is never filled with a plausible value (S4.8).
 * @throws ToolResultError naming the place
 */
export function parseToolResult(value: unknown): ToolResult {
  if (!isJsonObject(value)) throw new ToolResultError('result', 'an object')
  const { content, structuredContent, isError, _meta: meta } = value
  const items = content === undefined ? undefined : parseContent(content)
  if (structuredContent !== undefined && !isJsonObject(structuredContent)) {
    throw new ToolResultError('result.structuredContent', 'an object')
  }
  if (items === undefined && structuredContent === undefined) {
    throw new ToolResultError('result', 'content or structuredContent')
  }
  if (isError !== undefined && typeof isError !== 'boolean') throw new ToolResultError('result.isError', 'a boolean')
  const tokenUsage = isJsonObject(meta) ? parseTokenUsage(meta.tokenUsage) : undefined
  return {
    content: items ?? [],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: isError ?? false,
    ...(tokenUsage === undefined ? {} : { tokenUsage }),
  }
}

function parseContent(value: unknown): readonly ContentItem[] {
  if (!Array.isArray(value)) throw new ToolResultError('result.content', 'an array')
  return value.map((item: unknown, index) => parseContentItem(item, `result.content.${index}`))
}

/** Text and resources are what readers take apart; other kinds are passed on as they are. */
function parseContentItem(item: unknown, place: string): ContentItem {
  if (!isJsonObject(item)) throw new ToolResultError(place, 'an object')
  const { type, text, resource } = item
  if (typeof type !== 'string') throw new ToolResultError(`${place}.type`, 'a string')
  if (type === 'text' && typeof text !== 'string') throw new ToolResultError(`${place}.text`, 'a string')
  if (type === 'resource') checkResource(resource, `${place}.resource`)
  return { ...item, type }
}

function checkResource(resource: unknown, place: string): void {
  if (!isJsonObject(resource)) throw new ToolResultError(place, 'an object')
  const { uri, mimeType, text, blob } = resource
  if (typeof uri !== 'string') throw new ToolResultError(`${place}.uri`, 'a string')
  if (mimeType !== undefined && typeof mimeType !== 'string') throw new ToolResultError(`${place}.mimeType`, 'a string')
  if (typeof text !== 'string' && typeof blob !== 'string') throw new ToolResultError(place, 'text or blob')
}

/**
 * Checks a token usage: whole numbers, and the total is the sum (S0.3); undefined stays undefined.
 * @throws ToolResultError naming the place
 */
export function parseTokenUsage(value: unknown): TokenUsage | undefined {
  if (value === undefined) return undefined
  const place = 'result._meta.tokenUsage'
  if (!isJsonObject(value)) throw new ToolResultError(place, 'an object')
  const { promptTokens, completionTokens, totalTokens } = value
  if (!isCount(promptTokens)) throw new ToolResultError(`${place}.promptTokens`, 'a whole number from 0')
  if (!isCount(completionTokens)) throw new ToolResultError(`${place}.completionTokens`, 'a whole number from 0')
  if (totalTokens !== promptTokens + completionTokens) {
    throw new ToolResultError(`${place}.totalTokens`, 'promptTokens + completionTokens')
  }
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
