import fc from 'fast-check'

/** Any JSON, and often something that a careless program would take for right: one of these too. */
export function junkAnd(...likely: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(null, 0, '', [], {}, -1, '../../etc/passwd', ...likely))
}

/** Ids of requests, right and wrong. */
export const ids: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(0, 1, '', 'x', -1, 1.5, 2 ** 53),
  fc.integer(),
  fc.string(),
  fc.jsonValue(),
)

/** Nine times in ten this, else something else. */
export function mostly(usual: unknown, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, otherwise)
}

/** The id of a message as it was sent; undefined where it has none that can be sent back. */
export function idOf(message: unknown): string | number | undefined {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined
  if (typeof id === 'string') return id
  const isExact = typeof id === 'number' && (!Number.isInteger(id) || Number.isSafeInteger(id))
  return isExact ? id : undefined
}

/** A text as JSON; undefined where it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
