/** Characters that reorder or hide text: direction overrides, zero-width characters (joiners aside), tags, byte order marks. */
const DECEIVING = /[\u200B\u200E\u200F\u061C\u2060\u202A-\u202E\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu
const MARKUP = /[\\`*[\]|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
const LINE_START_MARKUP = /^(\s*)([#+=:-]|\d+(?=[.)]))/gm
const MAX_LINES = 40

/**
 * Text of a document or caller made safe to stand in a Markdown report, for a terminal, an editor and a browser: it is data (invariant
 * 12). HTML and Markdown in it are shown and not interpreted; control characters, terminal escapes among them, are gone.
 */
export function inertText(text: string): string {
  return withoutControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(MARKUP, String.raw`\$&`)
    .replaceAll(LINE_START_MARKUP, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    )
}

/** The same on one line, cut at `maxLength` characters of the original. */
export function inertLine(text: string, maxLength = 400): string {
  return inertText(clip(plainLine(text), maxLength))
}

/** Text on one line without control characters, for readers that are no Markdown: progress messages and errors. */
export function plainLine(text: string): string {
  return withoutControls(text).replaceAll(/\s+/g, ' ').trim()
}

/** The same as a quotation, cut at `maxLength` characters of the original. */
export function inertQuote(text: string, maxLength: number): string {
  const lines = inertText(clip(text.trim(), maxLength)).split('\n').slice(0, MAX_LINES)
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line.trim()}`)).join('\n')
}

function withoutControls(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/[^\P{Cc}\n]/gu, '')
    .replaceAll(/\p{Cs}/gu, '\uFFFD')
    .replaceAll(DECEIVING, '')
}

function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).trimEnd()} …`
}
