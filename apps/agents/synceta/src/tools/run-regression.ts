import { type AgentTool, defineTool, type HandlerResult, ToolError } from '@synchub/agent-sdk'
import type { SuiteDefinition } from '../configuration/definition.js'
import type { Configuration } from '../configuration/load.js'
import { listCases } from '../report/listed-cases.js'
import { clip, plainLine } from '../report/plain-text.js'
import { writeReport } from '../report/report.js'
import { type ReportStore, reportIdOf, reportUri } from '../report/report-store.js'
import { summarize } from '../report/summary.js'
import type { OnFinished } from '../run/case-log.js'
import { withSignsOfLife } from '../run/liveness.js'
import type { RunPlaces } from '../run/run-places.js'
import { runSuite } from '../run/run-suite.js'
import type { SuiteResult } from '../run/suite-result.js'
import { OUTPUT_SCHEMA } from './output-schema.js'

/** What a caller sends. */
interface RunRegressionArguments {
  readonly suite: string
  readonly filter?: string
  readonly failFast?: boolean
}

/** What the tool works with. */
export interface RunRegressionParts {
  readonly reports: ReportStore
  readonly places: RunPlaces
  /** Mark of this agent, under which its processes are found. */
  readonly agentMark: string
}

/** Of the cases in an answer, in bytes of JSON; the report has more of them. */
const MAX_LISTED_BYTES = 128 * 1024

/**
 * The tool `synceta_run_regression`. Its schema lists the configured suites, so a caller can neither guess nor invent one.
 *
 * Whether the suite passed is its result: a suite with failed cases is an answer without `isError`, since the tool did what it was
 * asked to. `isError` says that the suite could not be run to its end, so that nobody takes that for a verdict.
 */
export function runRegressionTool({ suites, limits }: Configuration, parts: RunRegressionParts): AgentTool {
  return defineTool<RunRegressionArguments>({
    name: 'synceta_run_regression',
    title: 'Run a regression suite',
    description: describeTool([...suites.values()]),
    inputSchema: inputSchemaFor([...suites.keys()]),
    outputSchema: OUTPUT_SCHEMA,
    annotations: { openWorldHint: true },
    streams: true,
    async handler({ suite: name, filter, failFast = false }, { callId, signal, progress, logger }) {
      const suite = suites.get(name)
      if (suite === undefined) throw unknownSuite([...suites.keys()])
      let finished = 0
      const onFinished: OnFinished = (result, count, total) => {
        finished = count
        const message = `${result.outcome}: ${clip(plainLine(result.name), 200)}`
        progress({ progress: count, ...(total === undefined ? {} : { total }), message })
      }
      const run = async () => {
        logger.info({ suite: name }, `the suite ${name} begins`)
        const wishes = { failFast, ...(filter === undefined ? {} : { filter }) }
        return runSuite(suite, wishes, { limits, agentMark: parts.agentMark, onFinished, signal })
      }
      // The value has not risen, so watchers see no such event; the hub sees that the work goes on.
      const tellAlive = () => progress({ progress: finished, message: `the suite ${name} goes on` })
      const result = await withSignsOfLife(parts.places.take(suite, run, signal), tellAlive)
      const reportId = reportIdOf(callId)
      const markdown = writeReport({ reportId, writtenAt: new Date(), result })
      await parts.reports.write(reportId, markdown)
      logger.info({ suite: name, reportId, outcome: result.outcome, ...result.counts }, `the suite ${name} ended`)
      return toAnswer(result, reportId, markdown)
    },
  })
}

function unknownSuite(names: readonly string[]): ToolError {
  const expected = `one of ${names.map((name) => JSON.stringify(name)).join(', ')}`
  return new ToolError('INVALID_PARAMS', `suite must be ${expected}`, { path: 'suite', expected })
}

function toAnswer(result: SuiteResult, reportId: string, markdown: string): HandlerResult {
  const { cases, truncated } = listCases(result.cases, MAX_LISTED_BYTES)
  const { suite, outcome, reason, remarks, counts, durationMs } = result
  return {
    content: [
      { type: 'text', text: `${summarize(result)} The report is ${reportId}.` },
      { type: 'resource', resource: { uri: reportUri(reportId), mimeType: 'text/markdown', text: markdown } },
    ],
    structuredContent: {
      reportId,
      suite,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(remarks.length === 0 ? {} : { remarks }),
      counts,
      durationMs,
      cases,
      truncated,
    },
    isError: outcome === 'error',
  }
}

function describeTool(suites: readonly SuiteDefinition[]): string {
  const list = suites.map((suite) => {
    const filters =
      suite.kind === 'command' && suite.filters.size > 0 ? `; filters: ${[...suite.filters.keys()].join(', ')}` : ''
    return `${suite.name} (${suite.kind}${suite.description === undefined ? '' : `: ${suite.description}`}${filters})`
  })
  return `Runs a regression suite by its name and tells which cases passed, failed or were skipped, with expected and actual values and a Markdown report. Takes seconds to many minutes. Suites: ${list.join('; ')}.`
}

function inputSchemaFor(names: readonly string[]) {
  return {
    type: 'object',
    properties: {
      suite: { type: 'string', enum: names, description: 'Name of the suite.' },
      filter: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description:
          'Of a fixtures suite: part of the names of the cases to run. Of a command suite: one of its filters.',
      },
      failFast: { type: 'boolean', default: false, description: 'Stop at the first case that fails.' },
    },
    required: ['suite'],
    additionalProperties: false,
  }
}
