/** What a text says when it is read as JSON. */
export interface JsonReading {
  /** Undefined where nothing is written; the text itself where it is not JSON. */
  readonly value: unknown
  readonly isBroken: boolean
  /** Where it stops to be JSON, counted from 1, in browsers that tell. */
  readonly place?: { readonly line: string; readonly column: string }
}

/** Reads a text as JSON. */
export function readJson(text: string): JsonReading {
  if (text.trim() === '') return { value: undefined, isBroken: false }
  try {
    return { value: JSON.parse(text), isBroken: false }
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? []
    const place = line !== undefined && column !== undefined ? { place: { line, column } } : {}
    return { value: text, isBroken: true, ...place }
  }
}

/** Writes a value as {@link readJson} reads it. An object without anything in it is what forms begin with: nothing is written. */
export function writeJson(value: unknown): string {
  if (typeof value === 'string' && readJson(value).isBroken) return value
  const text = JSON.stringify(value, null, 2) ?? ''
  return text === '{}' || text === '[]' ? '' : text
}
