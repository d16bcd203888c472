import { AnswerShapeError, requireObject, requireText } from '../json-rpc/answer-shape.js'
import { isJsonObject } from '../json-rpc/frame.js'

/** Text for the model or a person. */
export interface TextContent {
  readonly type: 'text'
  readonly text: string
}

/** A resource that the result brings along (MCP `EmbeddedResource`): text or base64 `blob`. */
export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
  }
}

/** Kinds that the hub passes on as they are: image, audio, resource_link and what later revisions add. */
export interface OpaqueContent {
  readonly type: string
  readonly [member: string]: unknown
}

/** One item of `result.content` (S0.3). */
export type ContentItem = TextContent | EmbeddedResource | OpaqueContent

/**
 * Checks one item of content. Text and resources are what readers take apart; other kinds are passed on as they are.
 * @throws AnswerShapeError naming the place
 */
export function parseContentItem(value: unknown, place: string): ContentItem {
  const item = requireObject(value, place)
  const type = requireText(item.type, `${place}.type`)
  if (type === 'text') requireText(item.text, `${place}.text`)
  if (type === 'resource') checkResourceContents(item.resource, `${place}.resource`)
  return { ...item, type }
}

/** Most characters of what a tool said that are shown as a reason. */
const MAX_REASON_CHARS = 300

/** What a tool said of its own failure, as far as a line has room for it: the first text of its content, which need not be whole. */
export function toolReasonOf(content: readonly unknown[] = []): string | undefined {
  const texts = content.map((item) => (isJsonObject(item) && item.type === 'text' ? item.text : undefined))
  const text = texts.find((candidate) => typeof candidate === 'string')
  if (text === undefined) return undefined
  const line = text
    .slice(0, 2 * MAX_REASON_CHARS)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > MAX_REASON_CHARS ? `${line.slice(0, MAX_REASON_CHARS)}…` : line
}

/**
 * Checks what a resource holds: its URI, and text or `blob`.
 * @throws AnswerShapeError naming the place
 */
export function checkResourceContents(value: unknown, place: string): asserts value is EmbeddedResource['resource'] {
  const { uri, mimeType, text, blob } = requireObject(value, place)
  requireText(uri, `${place}.uri`)
  if (mimeType !== undefined) requireText(mimeType, `${place}.mimeType`)
  if (typeof text !== 'string' && typeof blob !== 'string') throw new AnswerShapeError(place, 'text or blob')
}
