import { isJsonObject, type JsonObject } from './frame.js'

/** What an agent sent does not have the shape that it must have; `path` names the place. */
export class AnswerShapeError extends Error {
  override readonly name = 'AnswerShapeError'
  readonly path: string
  readonly expected: string

  constructor(path: string, expected: string) {
    super(`the agent's answer is broken at ${path}: expected ${expected}`)
    this.path = path
    this.expected = expected
  }
}

/** An object at `path`. @throws AnswerShapeError */
export function requireObject(value: unknown, path: string): JsonObject {
  if (!isJsonObject(value)) throw new AnswerShapeError(path, 'an object')
  return value
}

/** A list at `path`. @throws AnswerShapeError when it is none, or has more than `maxItems` */
export function requireList(value: unknown, path: string, maxItems = Number.POSITIVE_INFINITY): readonly unknown[] {
  if (!Array.isArray(value)) throw new AnswerShapeError(path, 'an array')
  if (value.length > maxItems) throw new AnswerShapeError(path, `an array of at most ${maxItems} items`)
  return value
}

/** A text at `path`, of at most `maxChars` characters. @throws AnswerShapeError */
export function requireText(value: unknown, path: string, maxChars = Number.POSITIVE_INFINITY): string {
  if (typeof value !== 'string') throw new AnswerShapeError(path, 'a string')
  if (value.length > maxChars) throw new AnswerShapeError(path, `a string of at most ${maxChars} characters`)
  return value
}

/** The member `name` where the holder has it, as it may be spread into another object. @throws AnswerShapeError of `check` */
export function optionalMember<Name extends string, Value>(
  holder: JsonObject,
  name: Name,
  check: (value: unknown, path: string) => Value,
): { readonly [Key in Name]?: Value } {
  const value = holder[name]
  // One computed name: TypeScript widens it to any string.
  return value === undefined ? {} : ({ [name]: check(value, name) } as { readonly [Key in Name]?: Value })
}
