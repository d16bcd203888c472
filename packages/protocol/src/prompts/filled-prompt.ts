import { AnswerShapeError, requireList, requireObject, requireText } from '../json-rpc/answer-shape.js'
import { type ContentItem, parseContentItem } from '../tools/content.js'

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentItem
}

/** The result of `prompts/get`. */
export interface FilledPrompt {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
}

/** Checks what an agent sent as the result of `prompts/get`. @throws AnswerShapeError naming the place */
export function parseFilledPrompt(value: unknown): FilledPrompt {
  const { description, messages } = requireObject(value, 'result')
  return {
    ...(description === undefined ? {} : { description: requireText(description, 'result.description') }),
    messages: requireList(messages, 'result.messages').map((item, index) =>
      parseMessage(item, `result.messages.${index}`),
    ),
  }
}

function parseMessage(value: unknown, place: string): PromptMessage {
  const { role, content } = requireObject(value, place)
  if (role !== 'user' && role !== 'assistant') throw new AnswerShapeError(`${place}.role`, 'user or assistant')
  return { role, content: parseContentItem(content, `${place}.content`) }
}
