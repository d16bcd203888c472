import { digestOfText } from '../query/duplicates.js'
import type { Quantity } from './quantity.js'
import type { Statement } from './statement.js'

/**
 * What one statement is to another. `copies`: the same words; `supports`: nearly the same words, and nothing that speaks against it;
 * `contradicts`: the same subject with another quantity, a negation or an opposite; `silent`: not the same subject.
 */
export type Relation = 'copies' | 'supports' | 'contradicts' | 'silent'

/** A comparison and what it rests on: a reader must be able to check it with eyes alone. */
export interface Comparison {
  readonly relation: Relation
  /** 0 to 1: how much of both subjects is the same, rare words weighing more. */
  readonly similarity: number
  /** For people: what is the same or differs. Empty when silent. */
  readonly reason: string
}

/** Likeness of subjects from which a difference counts; a negation may belong to another clause, so it needs more. */
const LEAST_LIKENESS = { support: 0.6, quantity: 0.6, keyedNumber: 0.5, polarity: 0.7 } as const
const MIN_SHARED_TERMS = 2

/**
 * Compares two statements by their words alone. It understands nothing: what it calls a contradiction is two sentences for a person
 * to look at.
 * @param weightOf - weight of a term, higher for rare ones
 */
export function compareStatements(claim: Statement, other: Statement, weightOf: (term: string) => number): Comparison {
  if (digestOfText(claim.text) === digestOfText(other.text)) {
    return { relation: 'copies', similarity: 1, reason: 'says it word for word, so it may be a copy' }
  }
  const shared = [...claim.subject].filter((term) => other.subject.has(term))
  const similarity = likeness(claim, other, shared, weightOf)
  if (shared.length < MIN_SHARED_TERMS) return { relation: 'silent', similarity, reason: '' }
  const difference = findDifference(claim, other, similarity)
  if (difference !== undefined) return { relation: 'contradicts', similarity, reason: difference }
  if (similarity < LEAST_LIKENESS.support) return { relation: 'silent', similarity, reason: '' }
  const percent = Math.round(similarity * 100)
  return { relation: 'supports', similarity, reason: `shares ${percent} % of the subject and differs in no quantity` }
}

/** Dice's coefficient over the weights of the terms. */
function likeness(
  one: Statement,
  other: Statement,
  shared: readonly string[],
  weightOf: (term: string) => number,
): number {
  const weigh = (terms: Iterable<string>) => [...terms].reduce((sum, term) => sum + weightOf(term), 0)
  const both = weigh(one.subject) + weigh(other.subject)
  return both === 0 ? 0 : (2 * weigh(shared)) / both
}

function findDifference(claim: Statement, other: Statement, similarity: number): string | undefined {
  const pair = findDifferingQuantities(claim.quantities, other.quantities)
  if (pair !== undefined) {
    const needed = pair.kind === 'number' ? LEAST_LIKENESS.keyedNumber : LEAST_LIKENESS.quantity
    if (similarity >= needed) return `says “${pair.there}” where the claim says “${pair.here}”`
  }
  return similarity >= LEAST_LIKENESS.polarity ? findDifferingPolarity(claim, other) : undefined
}

function findDifferingQuantities(
  here: readonly Quantity[],
  there: readonly Quantity[],
): { kind: Quantity['kind']; here: string; there: string } | undefined {
  for (const quantity of here) {
    const comparable = there.filter((candidate) => isComparable(quantity, candidate))
    const first = comparable[0]
    if (first === undefined || comparable.some(({ value }) => value === quantity.value)) continue
    // "5 to 10 s" against "10 s": one of several values is the same, so nothing differs.
    const siblings = here.filter((candidate) => isComparable(first, candidate))
    if (siblings.some(({ value }) => comparable.some((candidate) => candidate.value === value))) continue
    return { kind: quantity.kind, here: quantity.raw, there: first.raw }
  }
  return undefined
}

function isComparable(one: Quantity, other: Quantity): boolean {
  if (one.kind !== other.kind) return false
  return one.kind !== 'number' || one.about.some((word) => other.about.includes(word))
}

/** A negation and an opposite together cancel each other out: "is not allowed" says what "is refused" says. */
function findDifferingPolarity(claim: Statement, other: Statement): string | undefined {
  const opposed = [...claim.polarity.sides].find(([pair, side]) => {
    const there = other.polarity.sides.get(pair)
    return there !== undefined && there !== side
  })
  const isNegationDifferent = claim.polarity.isNegated !== other.polarity.isNegated
  if (opposed !== undefined && !isNegationDifferent) return `takes the other side of ${opposed[0]}`
  if (opposed !== undefined || !isNegationDifferent) return undefined
  return claim.polarity.isNegated ? 'affirms what the claim negates' : 'negates what the claim affirms'
}
