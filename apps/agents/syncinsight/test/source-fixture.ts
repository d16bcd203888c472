import type { DocumentFormat } from '../src/documents/block.js'
import { type Passage, passagesOf } from '../src/documents/passage.js'
import { Pace } from '../src/pace/pace.js'
import { SourceIndex } from '../src/query/source-index.js'
import { type Statement, statementsOf } from '../src/round-table/statement.js'

/** The passages of a source that consists of one document. */
export function passagesFrom(
  source: string,
  text: string,
  path = 'a.md',
  format: DocumentFormat = 'markdown',
): Passage[] {
  return [...passagesOf({ origin: { source, path, identity: `/${source}/${path}` }, format, text })]
}

/** The index of a source that consists of one document. */
export async function indexOf(
  source: string,
  text: string | readonly Passage[],
  maxTerms = 10_000,
): Promise<SourceIndex> {
  const passages = typeof text === 'string' ? passagesFrom(source, text) : text
  return SourceIndex.build(source, passages, maxTerms, paceOf(), () => undefined)
}

/** A pace that nobody stops. */
export function paceOf(): Pace {
  return new Pace(new AbortController().signal)
}

/** The one statement that a text makes. */
export function statementOf(text: string, source = 'docs'): Statement {
  const [statement, ...others] = passagesFrom(source, text).flatMap(statementsOf)
  if (statement === undefined || others.length > 0) throw new Error(`${text} is not one statement`)
  return statement
}
