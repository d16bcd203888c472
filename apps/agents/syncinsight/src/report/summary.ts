import { counted } from '../language/counting.js'
import type { ResearchResult } from '../research/result.js'
import type { Verdict } from '../round-table/round-table.js'
import { stateOfReading } from '../sources/reading.js'

/** How many claims the round table gave a verdict. */
function countVerdict({ discussions }: ResearchResult, verdict: Verdict): number {
  return discussions.filter((discussion) => discussion.verdict === verdict).length
}

/** What a research came to in a few sentences that hold nothing of the sources' own text. */
export function summarizeResult(result: ResearchResult): string {
  const { readings, ranking, discussions } = result
  const read = readings.filter((reading) => stateOfReading(reading) !== 'unreadable')
  const documents = read.reduce((sum, { documentCount }) => sum + documentCount, 0)
  const sentences = [
    `${counted(documents, 'document')} of ${counted(read.length, 'source')} ${documents === 1 ? 'was' : 'were'} read.`,
    findingSentence(result),
  ]
  if (ranking.unknownWords.length > 0) {
    sentences.push(`No source holds ${ranking.unknownWords.map((word) => `"${word}"`).join(', ')}.`)
  }
  if (discussions.length > 0) sentences.push(roundTableSentence(result, read.length))
  const gaps = readings.filter(({ unread }) => unread.hasGap).map(({ definition }) => definition.name)
  if (gaps.length > 0) {
    sentences.push(`Not everything could be read (${gaps.join(', ')}), so this is not the whole picture.`)
  }
  return sentences.join(' ')
}

function findingSentence({ ranking }: ResearchResult): string {
  const { findings, candidateCount } = ranking
  if (findings.length === 0) return 'Nothing in what was read bears on the question.'
  const chosen = candidateCount > findings.length ? `, the best of ${candidateCount} passages` : ''
  return `${counted(findings.length, 'finding')} ${findings.length === 1 ? 'bears' : 'bear'} on the question${chosen}.`
}

function roundTableSentence(result: ResearchResult, readCount: number): string {
  const claims = counted(result.discussions.length, 'claim')
  if (readCount < 2) return `The round table had one source only, so ${claims} could not be cross-checked.`
  const agreed = `${countVerdict(result, 'agreed')} agreed`
  const contested = `${countVerdict(result, 'contested')} contested`
  return `The round table put ${claims} to the other sources: ${agreed}, ${contested}, ${countVerdict(result, 'single_source')} said by one source only.`
}
