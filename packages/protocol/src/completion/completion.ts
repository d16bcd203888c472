import { AnswerShapeError, requireList, requireObject, requireText } from '../json-rpc/answer-shape.js'
import type { JsonObject } from '../json-rpc/frame.js'

/** Most values of one completion (MCP). */
export const MAX_COMPLETION_VALUES = 100

/** What the argument to complete belongs to: a prompt, or a template of resources. */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** Which argument is to be completed, and what is known by now. */
export interface CompletionQuery {
  readonly ref: CompletionRef
  readonly argument: { readonly name: string; readonly value: string }
  /** Values of other arguments. */
  readonly context?: JsonObject
}

/** Values that an argument may have. */
export interface Completion {
  readonly values: readonly string[]
  /** How many there are, where somebody has counted them. */
  readonly total?: number
  readonly hasMore?: boolean
}

/** Checks what an agent sent as the result of `completion/complete`. @throws AnswerShapeError naming the place */
export function parseCompletion(value: unknown): Completion {
  const place = 'result.completion'
  const { values, total, hasMore } = requireObject(requireObject(value, 'result').completion, place)
  if (total !== undefined && !Number.isSafeInteger(total))
    throw new AnswerShapeError(`${place}.total`, 'a whole number')
  if (hasMore !== undefined && typeof hasMore !== 'boolean') throw new AnswerShapeError(`${place}.hasMore`, 'a boolean')
  return {
    values: requireList(values, `${place}.values`, MAX_COMPLETION_VALUES).map((item, index) =>
      requireText(item, `${place}.values.${index}`),
    ),
    ...(typeof total === 'number' ? { total } : {}),
    ...(hasMore === undefined ? {} : { hasMore }),
  }
}
