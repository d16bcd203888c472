import type { CaseResult } from '../run/case-result.js'
import type { SuiteResult } from '../run/suite-result.js'
import { codeBlock, inertLine } from './markdown-text.js'
import { describeCounts, describeDuration } from './summary.js'

/** What a report is written from. */
export interface ReportParts {
  readonly reportId: string
  readonly writtenAt: Date
  readonly result: SuiteResult
}

/** Failures that are shown with all that is known of them. */
const MAX_DETAILED = 100
const MAX_LISTED = 2_000

const OUTCOMES = {
  passed: 'passed',
  failed: 'failed',
  error: 'error: the suite could not be run to its end',
} as const

/** Writes the report of a run as Markdown. What suite and target say in it is shown as data. */
export function writeReport({ reportId, writtenAt, result }: ReportParts): string {
  const failed = result.cases.filter(({ outcome }) => outcome === 'failed')
  const lines = [
    `# Regression of ${inertLine(result.suite)}`,
    '',
    `- Report: ${reportId}, written by SyncETA at ${writtenAt.toISOString()}`,
    `- Outcome: ${OUTCOMES[result.outcome]}`,
    `- Cases: ${describeCounts(result.counts)}`,
    `- Duration: ${describeDuration(result.durationMs)}`,
    '',
    ...(result.reason === undefined ? [] : ['## Why it could not be run', '', ...codeBlock(result.reason), '']),
    ...result.remarks.flatMap((remark) => [inertLine(remark), '']),
    ...(failed.length === 0 ? [] : ['## Failures', '', ...writeFailures(failed)]),
    ...(result.cases.length === 0 ? [] : ['## Cases', '', ...writeList(result.cases), '']),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function writeFailures(failed: readonly CaseResult[]): string[] {
  const shown = failed
    .slice(0, MAX_DETAILED)
    .flatMap((entry, index) => [
      `### ${index + 1}. ${inertLine(entry.name)}`,
      '',
      ...writePart('Expected:', entry.expected),
      ...writePart('Actual:', entry.actual),
      ...writePart('What was found:', entry.message),
    ])
  const more = failed.length - MAX_DETAILED
  return more > 0 ? [...shown, `${more} more cases failed; they are in the list below.`, ''] : shown
}

function writePart(title: string, text: string | undefined): string[] {
  return text === undefined || text.trim() === '' ? [] : [title, '', ...codeBlock(text), '']
}

function writeList(cases: readonly CaseResult[]): string[] {
  const shown = cases.slice(0, MAX_LISTED).map(({ outcome, name, durationMs, message }) => {
    const time = durationMs === undefined ? '' : ` (${describeDuration(durationMs)})`
    const why = outcome === 'skipped' && message !== undefined ? `: ${inertLine(message)}` : ''
    return `- ${outcome}: ${inertLine(name)}${time}${why}`
  })
  const more = cases.length - MAX_LISTED
  return more > 0 ? [...shown, `- and ${more} more`] : shown
}
