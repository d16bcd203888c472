import { randomUUID } from 'node:crypto'
import { ToolError } from '@synchub/agent-sdk'
import { runCommand } from '../command/run-command.js'
import { newRunMark } from '../command/run-mark.js'
import type { CommandDefinition, FixturesDefinition, SuiteDefinition } from '../configuration/definition.js'
import type { Limits } from '../configuration/schema.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { runFixtures } from '../fixtures/run-fixtures.js'
import { selectCases } from '../fixtures/selection.js'
import { clip, plainText } from '../report/plain-text.js'
import { createRedaction, type Redact } from '../report/redaction.js'
import { CaseLog, type OnFinished } from './case-log.js'
import { SuiteFailure } from './suite-failure.js'
import type { SuiteResult } from './suite-result.js'

/** What a caller asks of a run. */
export interface RunWishes {
  readonly filter?: string
  readonly failFast: boolean
}

/** What a run needs beside its suite. */
export interface RunParts {
  readonly limits: Limits
  /** Mark of this agent, under which its processes are found. */
  readonly agentMark: string
  readonly onFinished: OnFinished
  readonly signal: AbortSignal
}

const MAX_REASON_LENGTH = 2_000

/** What a suite that was run to its end has told beside its cases. */
interface RunEnd {
  readonly remarks: readonly string[]
  readonly hasFailed: boolean
}

/**
 * Runs a suite. That it could not be run to its end is a result too, with the cases that had finished by then.
 * @throws ToolError INVALID_PARAMS when the suite has no use for a wish; the signal's reason when it is aborted
 */
export async function runSuite(suite: SuiteDefinition, wishes: RunWishes, parts: RunParts): Promise<SuiteResult> {
  const { limits, onFinished, signal } = parts
  const redact = createRedaction(suite.secrets)
  const log = new CaseLog({ maxCases: limits.maxCases, redact, onFinished })
  const startedAtMs = performance.now()
  const conclude = (ended: Pick<SuiteResult, 'outcome' | 'reason' | 'remarks'>): SuiteResult => ({
    suite: suite.name,
    ...ended,
    counts: log.counts,
    durationMs: Math.round(performance.now() - startedAtMs),
    cases: log.cases,
  })
  try {
    const { remarks, hasFailed } = await (suite.kind === 'fixtures'
      ? playFixtures(suite, wishes, parts, log, redact)
      : execute(suite, wishes, parts, log))
    return conclude({ outcome: hasFailed || log.hasFailed ? 'failed' : 'passed', remarks })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof SuiteFailure)) throw error
    return conclude({
      outcome: 'error',
      reason: clip(redact(plainText(error.message)), MAX_REASON_LENGTH),
      remarks: [],
    })
  }
}

async function playFixtures(
  suite: FixturesDefinition,
  { filter, failFast }: RunWishes,
  { limits, signal }: RunParts,
  log: CaseLog,
  redact: Redact,
): Promise<RunEnd> {
  const all = await loadFixtures(suite.folder)
  const cases = filter === undefined ? all : selectCases(all, filter)
  if (cases.length === 0) throw invalid('filter', `a part of the name of one of the ${all.length} cases of this suite`)
  if (cases.length > limits.maxCases)
    throw new SuiteFailure(`the suite has ${cases.length} cases, more than the ${limits.maxCases} of limits.maxCases`)
  log.announce(cases.length)
  const { maxResponseBytes } = limits
  await runFixtures({ suite, cases, failFast, runId: randomUUID(), maxResponseBytes, log, redact, signal })
  return { remarks: [], hasFailed: false }
}

async function execute(
  suite: CommandDefinition,
  { filter, failFast }: RunWishes,
  { limits: { maxOutputBytes, killGraceMs }, agentMark, signal }: RunParts,
  log: CaseLog,
): Promise<RunEnd> {
  const { filters, output, failFastArguments } = suite
  const selected = filter === undefined ? [] : filters.get(filter)
  if (selected === undefined) {
    const known = [...filters.keys()].map((name) => JSON.stringify(name))
    throw invalid('filter', known.length === 0 ? 'absent: this suite has no filters' : `one of ${known.join(', ')}`)
  }
  if (failFast && output === 'jest-json' && failFastArguments === undefined)
    throw invalid('failFast', 'false for this suite: it tells of its cases only when all are over')
  return runCommand({
    suite,
    addedArguments: [...selected, ...(failFast ? (failFastArguments ?? []) : [])],
    failFast: failFast && failFastArguments === undefined,
    mark: newRunMark(agentMark),
    maxOutputBytes,
    killGraceMs,
    log,
    signal,
  })
}

function invalid(path: string, expected: string): ToolError {
  return new ToolError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
}
