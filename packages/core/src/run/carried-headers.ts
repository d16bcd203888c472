import type { JsonObject } from '@synchub/protocol'

/**
 * Headers that a caller sends along for its agent alone: handed on unread, recorded nowhere (S1.6, invariant 9). They live as long
 * as the request that brought them, so only a direct call has them.
 */
export type CarriedHeaders = Readonly<Record<string, string>>

/** Shorter ones would be found in innocent text. */
const MIN_LENGTH = 4
const MASK = '[redacted]'

/** Takes carried values out of what is about to be recorded: an agent may well tell them back, as the caller's answer shows. */
export function maskCarried(data: JsonObject, carried: CarriedHeaders): JsonObject {
  const values = Object.values(carried)
    .flatMap(writings)
    .filter(({ length }) => length >= MIN_LENGTH)
    // One writing may be part of another.
    .toSorted((left, right) => right.length - left.length)
  if (values.length === 0) return data
  const mask = (text: string) => values.reduce((rest, value) => rest.replaceAll(value, MASK), text)
  const masked: JsonObject = JSON.parse(JSON.stringify(data), (_name, value: unknown) =>
    typeof value === 'string' ? mask(value) : value,
  )
  return masked
}

/** A header is read byte by byte; in a text the same bytes may be characters of UTF-8, and either may stand in JSON or in a URL. */
function writings(value: string): readonly string[] {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  const all = [value, text].flatMap((each) => [each, JSON.stringify(each).slice(1, -1), encodeURIComponent(each)])
  return [...new Set(all)]
}
