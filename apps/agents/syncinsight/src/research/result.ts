import type { Question } from '../query/question.js'
import type { Ranking } from '../query/ranking.js'
import type { Discussion } from '../round-table/round-table.js'
import type { SourceReading } from '../sources/reading.js'

/**
 * How a research ended. `complete`: everything was read and something found; `no_findings`: everything was read and nothing found;
 * `partial`: something could not be read, so more or other things might have been found, whatever was.
 */
export type ResearchOutcome = 'complete' | 'partial' | 'no_findings'

/** All that a research came to; the report is written from it. */
export interface ResearchResult {
  readonly question: Question
  readonly outcome: ResearchOutcome
  readonly readings: readonly SourceReading[]
  readonly ranking: Ranking
  readonly discussions: readonly Discussion[]
}

/** Which outcome the readings and the number of findings make. */
export function outcomeOf(readings: readonly SourceReading[], findingCount: number): ResearchOutcome {
  if (readings.some(({ unread }) => unread.hasGap)) return 'partial'
  return findingCount === 0 ? 'no_findings' : 'complete'
}
