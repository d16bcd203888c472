/** What is wrong with the shape of a JSON text that JSON.parse took. */
export type ShapeProblem =
  | { readonly kind: 'depth' }
  | { readonly kind: 'duplicate-key'; readonly key: string }
  /** A number that JavaScript would change: an integer beyond its exact range, or one beyond any. */
  | { readonly kind: 'inexact-number'; readonly text: string }

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c

/**
 * Looks through a JSON text, already known to be valid, for what JSON.parse lets pass: nesting deeper than `maxDepth`, a name
 * that stands twice in one object, which different readers resolve differently, and numbers that would be rounded. One pass, no recursion: depth 10,000 is
 * answered as fast as depth 10.
 */
export function findShapeProblem(text: string, maxDepth: number): ShapeProblem | undefined {
  const open: (Set<string> | null)[] = []
  let keys: Set<string> | null = null
  let expectsKey = false
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case OPEN_OBJECT:
      case OPEN_ARRAY: {
        if (open.length >= maxDepth) return { kind: 'depth' }
        open.push(keys)
        expectsKey = text.charCodeAt(index) === OPEN_OBJECT
        keys = expectsKey ? new Set() : null
        break
      }
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        keys = open.pop() ?? null
        expectsKey = false
        break
      case COMMA:
        expectsKey = keys !== null
        break
      case QUOTE: {
        const end = endOfString(text, index)
        if (expectsKey && keys !== null) {
          const key = nameOf(text.slice(index, end + 1))
          if (keys.has(key)) return { kind: 'duplicate-key', key }
          keys.add(key)
          expectsKey = false
        }
        index = end
        break
      }
      default: {
        const end = endOfNumber(text, index)
        if (end === index) break
        if (isChanged(text.slice(index, end))) return { kind: 'inexact-number', text: text.slice(index, end) }
        index = end - 1
      }
    }
  }
  return undefined
}

const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const NUMBER = /-?[0-9][0-9.eE+-]*/y
/** Integers of fewer characters are exact, whatever they are. */
const SHORT_NUMBER = 15

function endOfNumber(text: string, start: number): number {
  const code = text.charCodeAt(start)
  if (code !== MINUS && (code < ZERO || code > NINE)) return start
  NUMBER.lastIndex = start
  return start + (NUMBER.exec(text)?.[0].length ?? 0)
}

/** A fraction is rounded by every reader; an integer is somebody's id, and must be written again as it was read. */
function isChanged(number: string): boolean {
  if (number.length <= SHORT_NUMBER && !/e/i.test(number)) return false
  if (!Number.isFinite(Number(number))) return true
  return /^-?[0-9]+$/.test(number) && String(Number(number)) !== number
}

/** Names without an escape, nearly all, are themselves: to have each parsed took most of the time of a body with many. */
function nameOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
