import { digestOfText } from '../query/duplicates.js'
import type { Question } from '../query/question.js'
import type { Finding } from '../query/ranking.js'
import { type Statement, statementsOf } from './statement.js'

/** A statement of a finding that bears on the question and is put before the round table. */
export interface Claim {
  readonly statement: Statement
  /** Place of its finding in the ranking, from 0. */
  readonly finding: number
}

const MAX_CLAIMS = 24
const MAX_CLAIMS_PER_FINDING = 3

/** Chooses the claims: of each finding those statements that hold most words of the question, each text once. */
export function chooseClaims(question: Question, findings: readonly Finding[]): Claim[] {
  const seen = new Set<string>()
  const claims: Claim[] = []
  for (const [place, { passage }] of findings.entries()) {
    const bearing = statementsOf(passage)
      .map((statement) => ({ statement, held: countHeld(question, statement) }))
      .filter(({ held }) => held > 0)
      .toSorted((one, other) => other.held - one.held)
    const needed = Math.min(2, bearing[0]?.held ?? 0)
    let taken = 0
    for (const { statement, held } of bearing) {
      const digest = digestOfText(statement.text)
      if (taken === MAX_CLAIMS_PER_FINDING || held < needed || seen.has(digest)) continue
      seen.add(digest)
      claims.push({ statement, finding: place })
      taken += 1
    }
  }
  return claims.slice(0, MAX_CLAIMS)
}

function countHeld(question: Question, { subject }: Statement): number {
  return question.words.filter(({ terms }) => terms.filter((term) => subject.has(term)).length * 2 >= terms.length)
    .length
}
