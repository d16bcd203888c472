import { stripVTControlCharacters } from 'node:util'

/** Characters that reorder or hide text: direction marks and overrides, zero-width characters (joiners aside), tags. */
const DECEIVING = /[\u200B\u200E\u200F\u061C\u2060\u202A-\u202E\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu

/** Text of a suite without what would act on a terminal or deceive a reader: colours, control characters but line breaks and tabs. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll(/\p{Cs}/gu, '\uFFFD')
    .replaceAll(DECEIVING, '')
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ').trim()
}

/** At most `maxLength` characters of a text. */
export function clip(text: string, maxLength: number): string {
  // Never between the two halves of a character.
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')} …`
}

/** A value as the text that stands for it: JSON, or a word for what JSON has no text for. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'absent'
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`
  } catch {
    // Too deep for JSON.stringify, or a structure that names itself: neither helps a reader.
    return 'a value that has no text'
  }
}
