import { type AgentLogger, type AgentTool, defineTool, type HandlerResult, ToolError } from '@synchub/agent-sdk'
import type { Configuration } from '../configuration/load.js'
import type { SourceDefinition } from '../configuration/source-definition.js'
import { parseQuestion, type Question } from '../query/question.js'
import { plainLine } from '../report/inert-text.js'
import { reportIdOf, reportUri } from '../report/report-store.js'
import { summarizeResult } from '../report/summary.js'
import { conductResearch, type Research, type ResearchParts } from '../research/deep-research.js'
import type { ResearchPlaces } from '../research/places.js'
import { ResearchProgress, STAGE_START } from '../research/progress.js'
import type { SourceReading } from '../sources/reading.js'

/** What a caller sends. */
interface DeepResearchArguments {
  readonly question: string
  readonly sources: readonly string[]
  readonly maxFindings?: number
}

const DEFAULT_FINDINGS = 12

/** The tool `syncinsight_deep_research`. Its schema lists the configured sources, so a caller can neither guess nor invent one. */
export function deepResearchTool(
  configuration: Configuration,
  parts: ResearchParts,
  places: ResearchPlaces,
): AgentTool {
  return defineTool<DeepResearchArguments>({
    name: 'syncinsight_deep_research',
    title: 'Deep research',
    description: describeTool(configuration),
    inputSchema: inputSchemaFor([...configuration.sources.keys()]),
    outputSchema: OUTPUT_SCHEMA,
    annotations: { destructiveHint: false, openWorldHint: hasUrl(configuration) },
    streams: true,
    async handler({ question: text, sources: names, maxFindings = DEFAULT_FINDINGS }, ctx) {
      const question = questionOf(text)
      const sources = names.map((name, place) => sourceOf(configuration, name, place))
      const reportId = reportIdOf(ctx.callId)
      const progress = new ResearchProgress((update) => ctx.progress(update))
      const research = await places.run(
        async () => conductResearch({ reportId, question, sources, maxFindings }, parts, ctx.signal, progress),
        ctx.signal,
        () => progress.stillAt(STAGE_START.reading, 'Waiting for a place: other researches are at work'),
      )
      logOutcome(ctx.logger, research, reportId)
      return toAnswer(research, reportId)
    },
  })
}

function questionOf(text: string): Question {
  const question = parseQuestion(text)
  if (question !== undefined) return question
  const expected = 'a question with at least one word'
  throw new ToolError('INVALID_PARAMS', `question must be ${expected}`, { path: 'question', expected })
}

function sourceOf(configuration: Configuration, name: string, place: number): SourceDefinition {
  const source = configuration.sources.get(name)
  if (source !== undefined) return source
  const path = `sources.${place}`
  const expected = `one of ${[...configuration.sources.keys()].map((known) => JSON.stringify(known)).join(', ')}`
  throw new ToolError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
}

/** Neither the question nor anything of a source gets into the log. */
function logOutcome(logger: AgentLogger, research: Research, reportId: string): void {
  if (research.kind === 'unreadable') {
    logger.warn({}, 'no source of the research could be read')
    return
  }
  const { outcome, ranking, discussions } = research.result
  const counts = { findings: ranking.findings.length, claims: discussions.length }
  logger.info({ reportId, outcome, ...counts }, `wrote report ${reportId}`)
}

function toAnswer(research: Research, reportId: string): HandlerResult {
  if (research.kind === 'unreadable') return toFailure(research.readings)
  const { result, markdown, tokenUsage } = research
  const gaps = result.readings.filter(({ unread }) => unread.hasGap).map(({ definition }) => definition.name)
  const text = `${summarizeResult(result)} The report is ${reportId}.`
  return {
    content: [
      { type: 'text', text },
      { type: 'resource', resource: { uri: reportUri(reportId), mimeType: 'text/markdown', text: markdown } },
    ],
    structuredContent: {
      reportId,
      outcome: result.outcome,
      findings: result.ranking.findings.length,
      ...(gaps.length === 0 ? {} : { notFullyRead: gaps }),
    },
    ...(tokenUsage === undefined ? {} : { tokenUsage }),
  }
}

function toFailure(readings: readonly SourceReading[]): HandlerResult {
  const reasons = readings.flatMap(({ unread }) => {
    const first = unread.listed[0]
    return first === undefined ? [] : [`${first.source}: ${plainLine(first.reason)}`]
  })
  const text = `No source could be read, so nothing was researched and no report was written. ${reasons.join('; ')}.`
  return { content: [{ type: 'text', text }], isError: true }
}

function describeTool({ sources }: Configuration): string {
  const list = [...sources.values()].map(({ name, kind, description }) => {
    return `${name} (${kind}${description === undefined ? '' : `: ${description}`})`
  })
  return `Researches a question over named sources: finds passages, cross-checks their claims between the sources, and writes a Markdown report with citations. Takes seconds to minutes. Sources: ${list.join('; ')}.`
}

function hasUrl({ sources }: Configuration): boolean {
  return [...sources.values()].some(({ kind }) => kind === 'url')
}

function inputSchemaFor(sourceNames: readonly string[]) {
  return {
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1, maxLength: 2_000, description: 'What to find out, in any language.' },
      sources: {
        type: 'array',
        items: { type: 'string', enum: sourceNames },
        minItems: 1,
        maxItems: 16,
        uniqueItems: true,
        description: 'Names of the sources to ask; two or more can be cross-checked.',
      },
      maxFindings: { type: 'integer', minimum: 1, maximum: 50, default: DEFAULT_FINDINGS },
    },
    required: ['question', 'sources'],
    additionalProperties: false,
  }
}

const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    reportId: { type: 'string', pattern: '^rep-[0-9a-f]{16}$' },
    outcome: {
      enum: ['complete', 'partial', 'no_findings'],
      description: 'partial: something could not be read; no_findings: all was read and nothing bears on the question.',
    },
    findings: { type: 'integer', minimum: 0 },
    notFullyRead: {
      type: 'array',
      items: { type: 'string' },
      description: 'Sources of which something could not be read.',
    },
  },
  required: ['reportId', 'outcome', 'findings'],
  additionalProperties: false,
}
