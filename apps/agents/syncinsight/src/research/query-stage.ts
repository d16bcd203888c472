import { counted } from '../language/counting.js'
import type { Pace } from '../pace/pace.js'
import type { Question } from '../query/question.js'
import type { SourceAnswer } from '../query/ranking.js'
import { SourceIndex } from '../query/source-index.js'
import type { SourceReading } from '../sources/reading.js'
import { type ResearchProgress, STAGE_START } from './progress.js'

/** Different terms that the indexes of one research hold together; at this many they take some 200 MB. */
const MAX_TERMS = 300_000

/** Indexes what was read of each source. */
export async function indexReadings(
  readings: readonly SourceReading[],
  pace: Pace,
  progress: ResearchProgress,
): Promise<SourceIndex[]> {
  const { indexing: start, querying: end } = STAGE_START
  const indexes: SourceIndex[] = []
  for (const [place, { definition, passages, unread }] of readings.entries()) {
    const percentAt = (fraction: number): number => start + ((place + fraction) / readings.length) * (end - start)
    progress.step(percentAt(0), `Indexing ${definition.name}: ${counted(passages.length, 'passage')}`)
    const maxTerms = Math.floor(MAX_TERMS / readings.length)
    const index = await SourceIndex.build(definition.name, passages, maxTerms, pace, (fraction) => {
      progress.advance(percentAt(fraction), `Indexing ${definition.name}: ${Math.round(fraction * 100)} %`)
    })
    if (index.isFull) {
      const reason = `holds more than ${maxTerms} different words: passages that only have the further ones cannot be found`
      unread.add({ source: definition.name, cause: 'limit', reason })
    }
    indexes.push(index)
  }
  return indexes
}

/** Puts the question to each source. */
export async function querySources(
  question: Question,
  indexes: readonly SourceIndex[],
  pace: Pace,
  progress: ResearchProgress,
): Promise<SourceAnswer[]> {
  const { querying: start, ranking: end } = STAGE_START
  const answers: SourceAnswer[] = []
  for (const [place, index] of indexes.entries()) {
    const matches = await index.find(question.words, pace)
    answers.push({ index, matches })
    const percent = start + ((place + 1) / indexes.length) * (end - start)
    progress.step(
      percent,
      `Asked ${index.source}: ${counted(matches.length, 'passage')} ${matches.length === 1 ? 'holds' : 'hold'} words of the question`,
    )
  }
  return answers
}
