/** A text in lines, cut so that any part of it can be shown without looking at the rest. */
export interface CodeText {
  readonly text: string
  /** Where each line begins. */
  readonly starts: Uint32Array
  /** For each line, the line that closes what it opens; 0 where it opens nothing. */
  readonly folds: Uint32Array
}

/** A JSON value, indented. Its strings hold no line breaks as JSON, so lines and brackets can be paired by looking at their ends. */
export function toJsonText(value: unknown): CodeText {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  const starts = findStarts(text)
  const folds = new Uint32Array(starts.length)
  const open: number[] = []
  for (let line = 0; line < starts.length; line++) {
    const first = text[firstInk(text, starts[line] ?? 0)]
    if (first === '}' || first === ']') folds[open.pop() ?? 0] = line
    const end = line + 1 < starts.length ? (starts[line + 1] ?? 0) - 2 : text.length - 1
    if (text[end] === '{' || text[end] === '[') open.push(line)
  }
  return { text, starts, folds }
}

/** A text as it is. */
export function toPlainText(text: string): CodeText {
  const starts = findStarts(text)
  return { text, starts, folds: new Uint32Array(starts.length) }
}

/** One line, without its end. @param maxChars - what is longer is cut */
export function lineOf(
  { text, starts }: CodeText,
  line: number,
  maxChars: number,
): { readonly shown: string; readonly cut: number } {
  const start = starts[line] ?? 0
  const end = line + 1 < starts.length ? (starts[line + 1] ?? 0) - 1 : text.length
  const length = end - start
  return { shown: text.slice(start, start + Math.min(length, maxChars)), cut: Math.max(0, length - maxChars) }
}

function findStarts(text: string): Uint32Array {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return Uint32Array.from(starts)
}

function firstInk(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at++
  return at
}
