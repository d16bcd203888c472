import { AnswerShapeError, type ContentItem, type JsonObject, parseContentItem } from '@synchub/protocol'
import type { Complaint } from './complaint.js'

/** A message of a conversation with a model. */
export interface SampleMessage {
  readonly role: 'user' | 'assistant'
  /** A string is one item of text; else an item of `text`, `image` or `audio`. Several are several messages: older clients know one only. */
  readonly content: string | ContentItem
}

/** What the caller's model is asked to write (MCP, sampling). */
export interface InputSample {
  /** The conversation so far, at least one message. */
  readonly messages: readonly SampleMessage[]
  /** Most that the model may write, in tokens of its own. */
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  /** Hints and priorities as MCP has them; the caller chooses the model. */
  readonly modelPreferences?: JsonObject
}

/** What the caller's model has written. It is text of a foreign model: data, and no instruction. */
export interface SampleAnswer {
  /** All of its text. */
  readonly text: string
  /** Its items of `text`, `image` and `audio`. */
  readonly content: readonly ContentItem[]
  /** The model as the caller names it. */
  readonly model: string
  /** Why it stopped, where that is known, e.g. `endTurn` or `maxTokens`. */
  readonly stopReason?: string
}

const CONTENT_TYPES: ReadonlySet<string> = new Set(['text', 'image', 'audio'])

/**
 * Refuses what no client would pass on to a model.
 * @throws Error naming the sample and what is wrong
 */
export function checkSample(name: string, { messages, maxTokens }: InputSample): void {
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Error(`the sample ${name} needs at least one message`)
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    throw new Error(`the sample ${name}: maxTokens must be a whole number from 1`)
  }
  for (const { role, content } of messages) {
    if (role !== 'user' && role !== 'assistant') throw new Error(`the sample ${name}: a role is user or assistant`)
    if (typeof content === 'string' || CONTENT_TYPES.has(content.type)) continue
    throw new Error(`the sample ${name}: content is a string, or an item of ${[...CONTENT_TYPES].join(', ')}`)
  }
}

/** The parameters of `sampling/createMessage`. */
export function toSamplingParams({ messages, ...rest }: InputSample): JsonObject {
  const written = messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? { type: 'text', text: content } : content,
  }))
  return { ...rest, messages: written }
}

/** Reads an answer as it came: nothing in it is believed. */
export function readSampleAnswer({ role, content, model, stopReason }: JsonObject): SampleAnswer | Complaint {
  if (role !== 'assistant' && role !== 'user') return { complaint: 'the role must be assistant or user' }
  if (typeof model !== 'string') return { complaint: 'the model must be a string' }
  if (stopReason !== undefined && typeof stopReason !== 'string') {
    return { complaint: 'the stopReason must be a string' }
  }
  const items = readContent(content)
  if ('complaint' in items) return items
  return {
    text: items.content.map((item) => ('text' in item && typeof item.text === 'string' ? item.text : '')).join(''),
    content: items.content,
    model,
    ...(stopReason === undefined ? {} : { stopReason }),
  }
}

/** One item, as the first clients have it, or a list. */
function readContent(value: unknown): { readonly content: readonly ContentItem[] } | Complaint {
  try {
    const content = (Array.isArray(value) ? value : [value]).map((item) => parseContentItem(item, 'content'))
    const foreign = content.find(({ type }) => !CONTENT_TYPES.has(type))
    return foreign === undefined ? { content } : { complaint: `content of type ${foreign.type} was not asked for` }
  } catch (thrown) {
    if (thrown instanceof AnswerShapeError) return { complaint: `${thrown.path} must be ${thrown.expected}` }
    throw thrown
  }
}
