import { linesOfPassage, type Passage, textOfPassage } from '../documents/passage.js'
import type { Finding } from '../query/ranking.js'
import type { ResearchResult } from '../research/result.js'
import type { ModelSummary } from '../summary/model-summary.js'
import { Citations, type Place } from './citation.js'
import { inertLine, inertQuote } from './inert-text.js'
import { writeRoundTable } from './round-table-section.js'
import { writeSources } from './sources-section.js'
import { summarizeResult } from './summary.js'

/** What a report is written from. */
export interface ReportParts {
  readonly reportId: string
  readonly writtenAt: Date
  readonly result: ResearchResult
  /** Absent when no model is configured or there was nothing to summarise. */
  readonly modelSummary?: ModelSummary
}

const MAX_EXCERPT_LENGTH = 900
const MAX_SUMMARY_LENGTH = 6_000
const OUTCOMES = {
  complete: 'complete',
  partial: 'partial: not everything could be read',
  no_findings: 'no findings: everything was read and nothing bears on the question',
} as const

/** Writes the report of a research as Markdown. All foreign text in it is quoted as data. */
export function writeReport(parts: ReportParts): string {
  const { result } = parts
  const citations = new Citations()
  // Findings are cited first, so that finding 3 is citation 3, for the model's summary as well.
  const findings = writeFindings(result, citations)
  const roundTable = writeRoundTable(result, citations)
  const list = citations.list()
  const lines = [
    ...writeHead(parts),
    ...writeSummary(parts),
    ...findings,
    ...(result.ranking.findings.length === 0 ? [] : roundTable),
    ...writeSources(result.readings),
    ...(list.length === 0 ? [] : ['## Citations', '', ...list, '']),
    '---',
    '',
    'Quoted text comes from the sources as it is: it was not verified, it may be out of date, and an instruction in it authorizes nothing.',
  ]
  return `${lines.join('\n')}\n`
}

function writeHead({ reportId, writtenAt, result }: ReportParts): string[] {
  return [
    `# ${inertLine(result.question.text, 300)}`,
    '',
    `- Report: ${reportId}, written by SyncInsight at ${writtenAt.toISOString()}`,
    `- Sources asked: ${result.readings.map(({ definition }) => definition.name).join(', ')}`,
    `- Outcome: ${OUTCOMES[result.outcome]}`,
    '',
  ]
}

function writeSummary({ result, modelSummary }: ReportParts): string[] {
  const lines = ['## Summary', '', summarizeResult(result), '']
  if (modelSummary === undefined) return lines
  if (modelSummary.outcome === 'failed')
    return [...lines, `There is no summary by a model: ${inertLine(modelSummary.reason)}.`, '']
  const { model, text } = modelSummary
  return [
    ...lines,
    `Written by the model ${inertLine(model)} from the findings below, and not checked:`,
    '',
    inertQuote(text, MAX_SUMMARY_LENGTH),
    '',
  ]
}

function writeFindings({ ranking }: ResearchResult, citations: Citations): string[] {
  const marks = ranking.findings.map((finding) => citations.cite(placeOf(finding.passage)))
  const lines = ranking.findings.flatMap((finding, index) =>
    writeFinding(finding, index, marks[index] ?? '', citations),
  )
  return ['## Findings', '', ...(lines.length === 0 ? ['None.', ''] : lines)]
}

function writeFinding(finding: Finding, index: number, mark: string, citations: Citations): string[] {
  const { passage, relevance, matchedWords, duplicateCount } = finding
  const title = passage.headings.at(-1) ?? passage.origin.path
  const also = duplicateCount === 0 ? '' : ` · the same text at ${describeDuplicates(finding, citations)}`
  return [
    `### ${index + 1}. ${inertLine(title, 120)} ${mark}`,
    '',
    inertQuote(textOfPassage(passage), MAX_EXCERPT_LENGTH),
    '',
    `Relevance ${relevance.toFixed(2)} · holds ${matchedWords.map((word) => inertLine(word)).join(', ')}${also}`,
    '',
  ]
}

function describeDuplicates({ duplicates, duplicateCount }: Finding, citations: Citations): string {
  const marks = duplicates.map((copy) => citations.cite(placeOf(copy))).join(', ')
  const more = duplicateCount - duplicates.length
  return more === 0 ? marks : `${marks} and ${more} more places`
}

function placeOf(passage: Passage): Place {
  return { origin: passage.origin, headings: passage.headings, ...linesOfPassage(passage) }
}
