/** What is wrong with the shape of a JSON text that JSON.parse took. */
export type ShapeProblem = { readonly kind: 'depth' } | { readonly kind: 'duplicate-key'; readonly key: string }

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c

/**
 * Looks through a JSON text, already known to be valid, for what JSON.parse lets pass: nesting deeper than `maxDepth`, and a
 * name that stands twice in one object, which different readers resolve differently. One pass, no recursion: depth 10,000 is
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
          const key = String(JSON.parse(text.slice(index, end + 1)))
          if (keys.has(key)) return { kind: 'duplicate-key', key }
          keys.add(key)
          expectsKey = false
        }
        index = end
        break
      }
    }
  }
  return undefined
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
