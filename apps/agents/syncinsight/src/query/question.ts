import { isStopWord } from '../language/stop-words.js'
import { splitWords, type Word } from '../language/words.js'

/** A question as the query stage asks it. */
export interface Question {
  readonly text: string
  /** Its words that carry a subject, each once. */
  readonly words: readonly Word[]
}

/** More words than this narrow nothing down and only cost time. */
const MAX_WORDS = 32

/** Takes a question apart; undefined when there is no word in it to look for. */
export function parseQuestion(text: string): Question | undefined {
  const all = splitWords(text)
  const carrying = all.filter((word) => !isStopWord(word.surface))
  // "Who is it?" has only words that carry nothing: they are then all there is to look for.
  const words = distinct(carrying.length > 0 ? carrying : all).slice(0, MAX_WORDS)
  return words.length === 0 ? undefined : { text: text.trim(), words }
}

/** How many of a question's words a passage must hold to be an answer to it at all. */
export function leastMatches(wordCount: number): number {
  return wordCount <= 2 ? 1 : Math.max(2, Math.ceil(wordCount / 3))
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.terms.join(' '), word])).values()]
}
