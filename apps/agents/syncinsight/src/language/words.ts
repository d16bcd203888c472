import { stemmer } from 'stemmer'

/** A word of a text with the search terms that stand for it. */
export interface Word {
  /** The word as it was written, after Unicode normalisation (NFKC). */
  readonly surface: string
  /** One term for most words; a Hangul or Han word gives its bigrams, a camelCase word its parts as well. */
  readonly terms: readonly string[]
}

/** What is longer (a digest, base64) is no word to a reader and would only fill the index. */
const MAX_WORD_LENGTH = 40

const UNSPACED = '\\p{Script=Hangul}|\\p{Script=Han}|\\p{Script=Hiragana}|\\p{Script=Katakana}'
const WORD = new RegExp(
  `\\p{Script=Hangul}+|(?:(?!\\p{Script=Hangul})(?:${UNSPACED}))+|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)
const WITHOUT_SPACES = new RegExp(`^(?:${UNSPACED})+$`, 'u')
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+/gu

/**
 * Splits a text into words. Korean glues particles to its nouns and Chinese and Japanese write no spaces, so words of these
 * scripts become overlapping bigrams: a question's "스키마" then meets a document's "스키마를". English words are stemmed.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  for (const [surface] of text.normalize('NFKC').matchAll(WORD)) {
    const terms = termsOfWord(surface)
    if (terms.length > 0) words.push({ surface, terms })
  }
  return words
}

/** The search terms of a text in their order, repeats included. */
export function termsOf(text: string): string[] {
  return splitWords(text).flatMap((word) => word.terms)
}

function termsOfWord(surface: string): string[] {
  if (WITHOUT_SPACES.test(surface)) return bigramsOf(surface)
  if (surface.length > MAX_WORD_LENGTH) return []
  const parts = surface.match(CAMEL_PART) ?? []
  return parts.length < 2 ? [stemOf(surface)] : [...new Set([surface, ...parts].map(stemOf))]
}

function bigramsOf(surface: string): string[] {
  const characters = Array.from(surface)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function stemOf(word: string): string {
  const lower = word.toLowerCase()
  return /^[a-z]{4,}$/.test(lower) ? stemmer(lower) : lower
}
