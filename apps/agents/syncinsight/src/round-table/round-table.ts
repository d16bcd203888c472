import type { Passage } from '../documents/passage.js'
import type { Pace } from '../pace/pace.js'
import { digestOfText } from '../query/duplicates.js'
import { createTermWeight } from '../query/rarity.js'
import type { SourceIndex } from '../query/source-index.js'
import type { Claim } from './claim.js'
import { type Comparison, compareStatements, type Relation } from './comparison.js'
import { type Statement, statementsOf } from './statement.js'

/** What one other source says to a claim. */
export interface Position {
  readonly source: string
  readonly relation: Relation
  /** The statement that was compared; absent when the source is silent. */
  readonly statement?: Statement
  readonly reason: string
}

/** `agreed`: another source says it too and none speaks against it; `contested`: one does; `single_source`: none says anything. */
export type Verdict = 'agreed' | 'contested' | 'single_source'

/** A claim with what the other sources say to it. */
export interface Discussion {
  readonly claim: Claim
  readonly verdict: Verdict
  /** One for each other source, in the order of the sources. */
  readonly positions: readonly Position[]
}

/** Terms of a claim that are looked up in another source: the rarest, which lead to the fewest and best passages. */
const LOOKED_UP_TERMS = 6
/** Passages of another source whose statements are compared with a claim. */
const COMPARED_PASSAGES = 12

/** Cross-checks claims between the sources of a research, by words alone and without any model. */
export class RoundTable {
  readonly #indexes: readonly SourceIndex[]
  readonly #pace: Pace
  readonly #weightOf: (term: string) => number
  readonly #statements = new Map<Passage, readonly Statement[]>()
  /** Statements that were already set against a claim: as claims of their own they would say the same again. */
  readonly #discussed = new Set<string>()

  constructor(indexes: readonly SourceIndex[], pace: Pace) {
    this.#indexes = indexes
    this.#pace = pace
    this.#weightOf = createTermWeight(indexes)
  }

  /** Asks every other source what it says to `claim`; undefined when the claim came up in an earlier discussion. */
  async discuss(claim: Claim): Promise<Discussion | undefined> {
    if (this.#discussed.has(digestOfText(claim.statement.text))) return undefined
    const positions: Position[] = []
    for (const index of this.#indexes) {
      if (index.source !== claim.statement.origin.source) positions.push(await this.#ask(index, claim.statement))
    }
    for (const { statement } of positions)
      if (statement !== undefined) this.#discussed.add(digestOfText(statement.text))
    return { claim, verdict: verdictOf(positions), positions }
  }

  async #ask(index: SourceIndex, claim: Statement): Promise<Position> {
    let best: { comparison: Comparison; statement: Statement } | undefined
    for (const passage of await this.#passagesAbout(index, claim)) {
      await this.#pace.breathe()
      // The same file under two source names is one voice.
      if (passage.origin.identity === claim.origin.identity) continue
      for (const statement of this.#statementsOf(passage)) {
        const comparison = compareStatements(claim, statement, this.#weightOf)
        if (comparison.relation === 'silent') continue
        if (best === undefined || comparison.similarity > best.comparison.similarity) best = { comparison, statement }
      }
    }
    if (best === undefined) return { source: index.source, relation: 'silent', reason: '' }
    const { relation, reason } = best.comparison
    return { source: index.source, relation, reason, statement: best.statement }
  }

  async #passagesAbout(index: SourceIndex, claim: Statement): Promise<Passage[]> {
    const terms = [...claim.subject]
      .filter((term) => index.frequencyOf(term) > 0)
      .toSorted((one, other) => this.#weightOf(other) - this.#weightOf(one))
      .slice(0, LOOKED_UP_TERMS)
    const matches = await index.find(
      terms.map((term) => ({ surface: term, terms: [term] })),
      this.#pace,
    )
    return matches.slice(0, COMPARED_PASSAGES).map(({ passage }) => passage)
  }

  #statementsOf(passage: Passage): readonly Statement[] {
    const known = this.#statements.get(passage)
    if (known !== undefined) return known
    const statements = statementsOf(passage)
    this.#statements.set(passage, statements)
    return statements
  }
}

function verdictOf(positions: readonly Position[]): Verdict {
  if (positions.some(({ relation }) => relation === 'contradicts')) return 'contested'
  return positions.some(({ relation }) => relation !== 'silent') ? 'agreed' : 'single_source'
}
