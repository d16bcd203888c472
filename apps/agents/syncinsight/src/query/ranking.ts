import type { Passage } from '../documents/passage.js'
import { groupByText } from './duplicates.js'
import { leastMatches, type Question } from './question.js'
import { rarityOf } from './rarity.js'
import { comparePlaces, type Match, type SourceIndex } from './source-index.js'

/** A passage that bears on the question. */
export interface Finding {
  readonly passage: Passage
  /** 0 to 1, comparable over all sources. */
  readonly relevance: number
  /** Words of the question that it holds. */
  readonly matchedWords: readonly string[]
  /** Other places that hold the same text: the first few. */
  readonly duplicates: readonly Passage[]
  /** How many such places there are. */
  readonly duplicateCount: number
}

/** What one source answered to the question. */
export interface SourceAnswer {
  readonly index: SourceIndex
  readonly matches: readonly Match[]
}

/** The outcome of ranking over all sources. */
export interface Ranking {
  /** Best first. */
  readonly findings: readonly Finding[]
  /** How many passages bore on the question before the best were chosen, duplicates merged. */
  readonly candidateCount: number
  /** Words of the question that no source holds. */
  readonly unknownWords: readonly string[]
}

/** How much of a finding's relevance its score within its own source decides; the rest is which words it holds. */
const SCORE_SHARE = 0.4
/** A boilerplate text may lie in thousands of places, of which a reader needs a few. */
const MAX_DUPLICATES = 5

/**
 * Ranks what the sources answered. Scores of different indexes cannot be compared, so relevance is the share of the question's words
 * that a passage holds, rare words weighing more, shaded by its score against the best one of its source. Each source that
 * has an answer keeps a place as long as there are places, so that a big source does not silence a small one.
 */
export function rankAnswers(question: Question, answers: readonly SourceAnswer[], maxFindings: number): Ranking {
  const weights = weighWords(question, answers)
  const needed = leastMatches(question.words.length)
  const candidates = answers.flatMap(({ matches }) => {
    const best = matches[0]?.score ?? 1
    return matches.filter((match) => match.words.size >= needed).map((match) => candidateOf(match, best, weights))
  })
  const groups = groupByText(candidates.toSorted(byRelevance))
  const chosen = choose(groups, answers.length, maxFindings)
  return {
    findings: chosen.map(([first, ...others]) => ({
      passage: first.passage,
      relevance: first.relevance,
      matchedWords: [...first.words].toSorted((a, b) => a - b).flatMap((place) => question.words[place]?.surface ?? []),
      duplicates: others.slice(0, MAX_DUPLICATES).map(({ passage }) => passage),
      duplicateCount: others.length,
    })),
    candidateCount: groups.length,
    unknownWords: question.words.filter((_, place) => weights[place] === 0).map((word) => word.surface),
  }
}

interface Candidate {
  readonly passage: Passage
  readonly relevance: number
  readonly words: ReadonlySet<number>
}

/** A word that no source holds weighs nothing: it cannot tell one passage from another. */
function weighWords(question: Question, answers: readonly SourceAnswer[]): number[] {
  const total = answers.reduce((sum, { index }) => sum + index.passages.length, 0)
  return question.words.map((_, place) => {
    const holding = answers.reduce(
      (sum, { matches }) => sum + matches.filter(({ words }) => words.has(place)).length,
      0,
    )
    return holding === 0 ? 0 : rarityOf(holding, total)
  })
}

function candidateOf({ passage, score, words }: Match, bestScore: number, weights: readonly number[]): Candidate {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const held = [...words].reduce((sum, place) => sum + (weights[place] ?? 0), 0)
  const relevance = (held / all) * (1 - SCORE_SHARE + SCORE_SHARE * (score / bestScore))
  return { passage, relevance, words }
}

function byRelevance(one: Candidate, other: Candidate): number {
  return other.relevance - one.relevance || comparePlaces(one.passage, other.passage)
}

function choose(
  groups: readonly [Candidate, ...Candidate[]][],
  sourceCount: number,
  maxFindings: number,
): [Candidate, ...Candidate[]][] {
  const first = new Map<string, [Candidate, ...Candidate[]]>()
  for (const group of groups) {
    for (const { passage } of group) if (!first.has(passage.origin.source)) first.set(passage.origin.source, group)
    if (first.size === sourceCount) break
  }
  const chosen = new Set([...new Set(first.values())].slice(0, maxFindings))
  for (const group of groups) {
    if (chosen.size >= maxFindings) break
    chosen.add(group)
  }
  return groups.filter((group) => chosen.has(group))
}
