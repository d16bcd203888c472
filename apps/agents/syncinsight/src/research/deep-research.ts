import type { TokenUsage } from '@synchub/protocol'
import type { Limits } from '../configuration/schema.js'
import type { SourceDefinition } from '../configuration/source-definition.js'
import { counted } from '../language/counting.js'
import type { ResolveHost } from '../network/resolution.js'
import { Pace } from '../pace/pace.js'
import { withSignsOfLife } from '../pace/signs-of-life.js'
import type { Question } from '../query/question.js'
import { type Finding, rankAnswers } from '../query/ranking.js'
import type { SourceIndex } from '../query/source-index.js'
import { writeReport } from '../report/report.js'
import type { ReportStore } from '../report/report-store.js'
import { chooseClaims } from '../round-table/claim.js'
import { type Discussion, RoundTable } from '../round-table/round-table.js'
import { type SourceReading, stateOfReading } from '../sources/reading.js'
import type { ModelSummary, Summarize } from '../summary/model-summary.js'
import { summaryPrompt } from '../summary/prompt.js'
import { type ResearchProgress, STAGE_START } from './progress.js'
import { indexReadings, querySources } from './query-stage.js'
import { readSources } from './reading-stage.js'
import { outcomeOf, type ResearchResult } from './result.js'

/** What is to be researched. */
export interface ResearchRequest {
  readonly reportId: string
  readonly question: Question
  readonly sources: readonly SourceDefinition[]
  readonly maxFindings: number
}

/** What a research works with. */
export interface ResearchParts {
  readonly limits: Limits
  readonly resolveHost: ResolveHost
  readonly reports: ReportStore
  /** Absent where no model is configured: everything works without one. */
  readonly summarize?: Summarize
  readonly now: () => Date
}

/** How a research ended: with a report, or with no source that could be read at all. */
export type Research =
  | {
      readonly kind: 'reported'
      readonly result: ResearchResult
      readonly markdown: string
      /** Present when a model was asked and told what it used. */
      readonly tokenUsage?: TokenUsage
    }
  | { readonly kind: 'unreadable'; readonly readings: readonly SourceReading[] }

/**
 * Researches a question over some sources: read, index, query, rank, cross-check, report.
 * @throws the signal's reason, soon after it is aborted, at whatever stage the work is
 */
export async function conductResearch(
  request: ResearchRequest,
  parts: ResearchParts,
  signal: AbortSignal,
  progress: ResearchProgress,
): Promise<Research> {
  const pace = new Pace(signal)
  const readings = await readSources(request.sources, parts, pace, progress)
  if (readings.every((reading) => stateOfReading(reading) === 'unreadable')) return { kind: 'unreadable', readings }
  const indexes = await indexReadings(readings, pace, progress)
  const answers = await querySources(request.question, indexes, pace, progress)
  const ranking = rankAnswers(request.question, answers, request.maxFindings)
  progress.step(
    STAGE_START.ranking,
    `Ranked ${counted(ranking.candidateCount, 'passage')}: ${counted(ranking.findings.length, 'finding')}`,
  )
  const discussions = await holdRoundTable(request.question, ranking.findings, indexes, pace, progress)
  const outcome = outcomeOf(readings, ranking.findings.length)
  const result: ResearchResult = { question: request.question, outcome, readings, ranking, discussions }
  const modelSummary = await askModel(result, parts.summarize, signal, progress)
  progress.step(STAGE_START.writing, 'Writing the report')
  const markdown = writeReport({
    reportId: request.reportId,
    writtenAt: parts.now(),
    result,
    ...(modelSummary === undefined ? {} : { modelSummary }),
  })
  signal.throwIfAborted()
  await parts.reports.write(request.reportId, markdown)
  progress.step(STAGE_START.writing + 4, `Wrote report ${request.reportId}`)
  const tokenUsage = modelSummary?.tokenUsage
  return { kind: 'reported', result, markdown, ...(tokenUsage === undefined ? {} : { tokenUsage }) }
}

async function holdRoundTable(
  question: Question,
  findings: readonly Finding[],
  indexes: readonly SourceIndex[],
  pace: Pace,
  progress: ResearchProgress,
): Promise<Discussion[]> {
  const { roundTable: start, summary: end } = STAGE_START
  const claims = chooseClaims(question, findings)
  progress.step(start, `Round table: ${counted(claims.length, 'claim')} to cross-check`)
  const table = new RoundTable(indexes, pace)
  const discussions: Discussion[] = []
  for (const [place, claim] of claims.entries()) {
    await pace.breathe()
    const discussion = await table.discuss(claim)
    if (discussion !== undefined) discussions.push(discussion)
    const contested = discussions.filter(({ verdict }) => verdict === 'contested').length
    const percent = start + ((place + 1) / claims.length) * (end - start)
    progress.step(percent, `Round table: claim ${place + 1} of ${claims.length}, ${contested} contested so far`)
  }
  return discussions
}

async function askModel(
  result: ResearchResult,
  summarize: Summarize | undefined,
  signal: AbortSignal,
  progress: ResearchProgress,
): Promise<ModelSummary | undefined> {
  if (summarize === undefined || result.ranking.findings.length === 0) return undefined
  progress.step(STAGE_START.summary, 'Asking the model for a summary')
  const summary = await withSignsOfLife(summarize(summaryPrompt(result), signal), () => {
    progress.stillAt(STAGE_START.writing, 'Still waiting for the model')
  })
  progress.step(
    STAGE_START.summary + 4,
    summary.outcome === 'written' ? 'The model wrote a summary' : 'No summary by the model',
  )
  return summary
}
