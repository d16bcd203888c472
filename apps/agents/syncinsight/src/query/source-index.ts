import MiniSearch from 'minisearch'
import { linesOfPassage, type Passage, textOfPassage } from '../documents/passage.js'
import { termsOf, type Word } from '../language/words.js'
import type { Pace } from '../pace/pace.js'

/** A passage that holds at least one of the words asked for. */
export interface Match {
  readonly passage: Passage
  /** BM25+ score over all words; comparable within one source only. */
  readonly score: number
  /** Which of the words asked for it holds, by their place in the list. */
  readonly words: ReadonlySet<number>
}

/** A heading says what the text below is about, so a word there weighs more. */
const HEADING_BOOST = 1.5

interface IndexedPassage {
  readonly id: number
  readonly heading: string
  readonly text: string
}

/** The full-text index of one source. */
export class SourceIndex {
  readonly source: string
  readonly passages: readonly Passage[]
  readonly #search: MiniSearch<IndexedPassage>
  readonly #frequencies = new Map<string, number>()
  readonly #maxTerms: number
  #isFull = false

  private constructor(source: string, passages: readonly Passage[], maxTerms: number) {
    this.source = source
    this.passages = passages
    this.#maxTerms = maxTerms
    this.#search = new MiniSearch<IndexedPassage>({
      fields: ['heading', 'text'],
      tokenize: (text) => this.#tokenize(text),
      // Terms are already as they should be.
      processTerm: (term) => term,
    })
  }

  /**
   * Indexes the passages of a source.
   * @param maxTerms - most different terms that are kept: a file of random words would otherwise fill the memory
   * @param onProgress - told the fraction that is done, from 0 to 1
   */
  static async build(
    source: string,
    passages: readonly Passage[],
    maxTerms: number,
    pace: Pace,
    onProgress: (fraction: number) => void,
  ): Promise<SourceIndex> {
    const index = new SourceIndex(source, passages, maxTerms)
    for (const [id, passage] of passages.entries()) {
      index.#search.add({ id, heading: passage.headings.join(' '), text: textOfPassage(passage) })
      await pace.breathe()
      onProgress((id + 1) / passages.length)
    }
    return index
  }

  /** Whether terms beyond the bound were left out, so that passages may be missed. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** In how many texts and headings of the source a term stands. */
  frequencyOf(term: string): number {
    return this.#frequencies.get(term) ?? 0
  }

  /**
   * Finds the passages that hold any of `words`, best first. A word of several terms (Hangul bigrams) counts as held when half of
   * them are: particles and endings differ.
   */
  async find(words: readonly Word[], pace: Pace): Promise<Match[]> {
    const matches = new Map<number, { score: number; words: Set<number> }>()
    for (const [place, word] of words.entries()) {
      // Word by word, since a search cannot be interrupted and one over many words of a big source takes long.
      for (const { id, score, queryTerms } of this.#lookUp(word.terms)) {
        if (queryTerms.length * 2 < word.terms.length) continue
        const match = matches.get(id as number) ?? { score: 0, words: new Set<number>() }
        match.score += score
        match.words.add(place)
        matches.set(id as number, match)
      }
      await pace.breathe()
    }
    return [...matches].flatMap(([id, match]) => this.#toMatch(id, match)).toSorted(byScoreThenPlace)
  }

  #lookUp(terms: readonly string[]) {
    return this.#search.search(terms.join(' '), {
      tokenize: (text) => text.split(' '),
      boost: { heading: HEADING_BOOST },
      combineWith: 'OR',
    })
  }

  #toMatch(id: number, match: { score: number; words: Set<number> }): Match[] {
    const passage = this.passages[id]
    return passage === undefined ? [] : [{ passage, ...match }]
  }

  #tokenize(text: string): string[] {
    const seen = new Set<string>()
    return termsOf(text).filter((term) => {
      if (seen.has(term)) return true
      const frequency = this.frequencyOf(term)
      if (frequency === 0 && this.#frequencies.size >= this.#maxTerms) {
        this.#isFull = true
        return false
      }
      seen.add(term)
      this.#frequencies.set(term, frequency + 1)
      return true
    })
  }
}

/** Ties are broken by place, so that the same sources always give the same report. */
function byScoreThenPlace(one: Match, other: Match): number {
  return other.score - one.score || comparePlaces(one.passage, other.passage)
}

/** Order of two passages by path, then line. */
export function comparePlaces(one: Passage, other: Passage): number {
  if (one.origin.path !== other.origin.path) return one.origin.path < other.origin.path ? -1 : 1
  return linesOfPassage(one).startLine - linesOfPassage(other).startLine
}
