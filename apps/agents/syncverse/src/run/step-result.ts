import type { CallResult } from '@synchub/protocol'

/** Largest structured result that stands in the plan's own answer, in bytes of JSON; the others are found by their callId. */
const MAX_VISIBLE_BYTES = 16 * 1024
/** Largest result that other steps may refer to, in bytes of JSON: several may be joined in one request. */
const MAX_SOURCE_BYTES = 1024 * 1024
/** Most of a text that stands in the plan's own answer, in characters. */
const MAX_TEXT_LENGTH = 2_000

/** What of a structured result the plan's answer holds. */
export function visibleResult({ structuredContent }: CallResult): { result?: unknown; resultBytes?: number } {
  if (structuredContent === undefined) return {}
  const bytes = bytesOf(structuredContent)
  return bytes <= MAX_VISIBLE_BYTES ? { result: structuredContent } : { resultBytes: bytes }
}

/** What references to a step stand for; undefined where there is nothing, or too much. */
export function sourceOf(result: CallResult): unknown {
  const source = result.structuredContent ?? firstText(result)
  return source !== undefined && bytesOf(source) <= MAX_SOURCE_BYTES ? source : undefined
}

/** The first text of a result, clipped; undefined where there is none. */
export function textOf(result: CallResult): string | undefined {
  const text = firstText(result)
  if (text === undefined || text.length <= MAX_TEXT_LENGTH) return text
  // Never between the two halves of a character.
  return `${text.slice(0, MAX_TEXT_LENGTH).replace(/[\uD800-\uDBFF]$/, '')} …`
}

function firstText({ content }: CallResult): string | undefined {
  for (const item of content) if (item.type === 'text' && typeof item.text === 'string') return item.text
  return undefined
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
