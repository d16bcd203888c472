import { requireText } from '../json-rpc/answer-shape.js'

/** Longest name of a resource, a prompt or an argument, in characters. */
export const MAX_NAME_CHARS = 512

/** Longest text that something says of itself in a list, in characters: lists are kept, and sent to everybody. */
const MAX_TEXT_CHARS = 16_384

/** A title or description in a list. @throws AnswerShapeError naming the place */
export function listedText(value: unknown, path: string): string {
  return requireText(value, path, MAX_TEXT_CHARS)
}
