/** A type as it was written, taken apart: `timestamp(3) with time zone` has the name `TIMESTAMP WITH TIME ZONE`. */
export interface TypeText {
  /** All words, upper case, one space between. */
  readonly name: string
  /** What stood in the parentheses: whole numbers, or texts without their quotes. */
  readonly numbers: readonly number[]
  readonly texts: readonly string[]
}

/** Longest type text that is read, in characters. */
export const MAX_TYPE_CHARS = 1024

const SPACE = /\s*/y
const WORDS = /[A-Za-z][A-Za-z0-9]*(?:\s+[A-Za-z][A-Za-z0-9]*)*/y
const NUMBER = /[0-9]{1,9}/y
const TEXT = /'((?:[^']|'')*)'/y

/**
 * Takes a type text apart: words, at most one list of numbers or texts in parentheses, words. Nothing else is let through, so
 * what is printed later is only ever put together from a closed table, never copied.
 * @returns undefined when the text is no such thing
 */
export function parseTypeText(text: string): TypeText | undefined {
  if (text.length > MAX_TYPE_CHARS) return undefined
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const skip = (character: string): boolean => {
    take(SPACE)
    if (text[at] !== character) return false
    at += 1
    take(SPACE)
    return true
  }

  take(SPACE)
  const words = [take(WORDS)?.[0] ?? '']
  const numbers: number[] = []
  const texts: string[] = []
  if (skip('(')) {
    do {
      const quoted = take(TEXT)
      const digits = quoted === null ? take(NUMBER) : null
      if (quoted !== null) texts.push((quoted[1] ?? '').replaceAll("''", "'"))
      else if (digits !== null) numbers.push(Number(digits[0]))
      else return undefined
    } while (skip(','))
    if (!skip(')')) return undefined
    words.push(take(WORDS)?.[0] ?? '')
  }
  take(SPACE)
  if (at !== text.length || words[0] === '') return undefined
  const name = words.join(' ').trim().replaceAll(/\s+/g, ' ').toUpperCase()
  return { name, numbers, texts }
}
