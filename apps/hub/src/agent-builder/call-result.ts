import { type CallResult, type ContentItem, type HubError, isJsonObject, type JsonObject } from '@synchub/protocol'
import type { AnsweredCall } from '../calls/call-answer.js'

const NO_TEXT: JsonObject = { type: 'text', text: '' }

/** A call that its tool has answered (S1.8): the text, and how long it took; never a structured result. */
export function encodeResult({ content, isError, _meta }: CallResult): JsonObject {
  return { content: withSearchTime(content, _meta.executionTimeMs), isError, _meta }
}

/**
 * A call that began and did not come to its tool's answer: a failed tool on these paths, in words for whoever reads it (S1.9).
 * `_meta.title` is the failure's title on every surface.
 */
export function encodeFailure(
  error: HubError,
  { callId, traceId, replayed }: Omit<AnsweredCall, 'w3cTraceId'>,
  searchTime: number,
): JsonObject {
  const nextStep = error.details.nextStep ?? error.definition.nextStep
  const text = `${error.message}. ${nextStep}`
  return {
    content: withSearchTime([{ type: 'text', text }], searchTime),
    isError: true,
    _meta: { callId, traceId, title: error.code, ...(replayed ? { replayed } : {}) },
  }
}

function withSearchTime(content: readonly ContentItem[], searchTime: number): readonly JsonObject[] {
  const [first = NO_TEXT, ...rest] = content.map((item): JsonObject => ({ ...item }))
  const own = isJsonObject(first._meta) ? first._meta : {}
  return [{ ...first, _meta: { ...own, searchTime } }, ...rest]
}
