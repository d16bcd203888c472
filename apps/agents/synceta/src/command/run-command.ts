import { stat } from 'node:fs/promises'
import type { CommandDefinition } from '../configuration/definition.js'
import { plainLine } from '../report/plain-text.js'
import type { CaseLog } from '../run/case-log.js'
import { SuiteFailure } from '../run/suite-failure.js'
import { JestReport } from './jest-report.js'
import { type ProcessEnd, ProcessTree } from './process-tree.js'
import type { ReportReader } from './report-reader.js'
import { ReportReading } from './report-reading.js'
import type { RunMark } from './run-mark.js'
import { TapReport } from './tap-report.js'

/** One run of a command. */
export interface CommandRun {
  readonly suite: CommandDefinition
  /** Arguments of the filter and of failFast. */
  readonly addedArguments: readonly string[]
  /** Ends the command as soon as a case has failed. */
  readonly failFast: boolean
  readonly mark: RunMark
  readonly maxOutputBytes: number
  readonly killGraceMs: number
  readonly log: CaseLog
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal
}

/** What a command that could be judged has told beside its cases. */
export interface CommandEnd {
  /** Sentences for the reader of the result. */
  readonly remarks: readonly string[]
  /** Whether it says that it failed, whatever its cases say. */
  readonly hasFailed: boolean
}

/**
 * Runs a test command and reads its report as it comes. When this returns, or throws, no process of it is left.
 * @throws SuiteFailure when it could not be started, gave no whole report, wrote too much, was killed or took too long; the signal's
 *   reason when it was aborted
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  const { suite, log, failFast, maxOutputBytes, signal } = run
  await requireFolder(suite.cwd)
  signal.throwIfAborted()
  const timeout = AbortSignal.timeout(suite.timeoutMs)
  const reader: ReportReader = suite.output === 'tap' ? new TapReport(log) : new JestReport(log, suite.cwd)
  const tree = new ProcessTree({
    command: [...suite.command, ...run.addedArguments],
    cwd: suite.cwd,
    environment: suite.environment,
    mark: run.mark,
  })
  const isEnough = () => failFast && log.hasFailed
  const reading = new ReportReading(tree, { reader, maxOutputBytes, secrets: suite.secrets, isEnough })
  const giveUp = aborted(AbortSignal.any([signal, timeout]))
  const end = await Promise.race([tree.ended, reading.stopped, giveUp])
  const left = await tree.end(run.killGraceMs)
  await reading.settle()
  signal.throwIfAborted()
  return judge(run, reader, reading, { end: end ?? undefined, left, isTimeOver: timeout.aborted })
}

interface Ending {
  /** Undefined when it was ended by us. */
  readonly end: ProcessEnd | undefined
  /** How many processes lived when the first one had ended. */
  readonly left: number
  readonly isTimeOver: boolean
}

function judge({ suite, log }: CommandRun, reader: ReportReader, reading: ReportReading, ending: Ending): CommandEnd {
  const { end, left, isTimeOver } = ending
  const cannot = (reason: string) => {
    const words = reading.lastWords.split('\n').at(-1) ?? ''
    const exit = end?.kind === 'exited' && end.code !== 0 ? `; it ended with exit code ${end.code}` : ''
    return new SuiteFailure(
      `the command cannot be judged: ${reason}${exit}${words === '' ? '' : `: ${plainLine(words)}`}`,
    )
  }
  if (end?.kind === 'not-started') throw new SuiteFailure(describeStart(suite, end.code))
  try {
    if (end === undefined || end.kind === 'killed') reader.flush()
    reading.throwFailure()
    if (end === undefined && isTimeOver) throw new SuiteFailure(`it did not end within ${suite.timeoutMs} ms`)
    if (end === undefined) return { remarks: ['The command was ended at its first failure.'], hasFailed: true }
    if (end.kind === 'killed') throw new SuiteFailure(`it was killed by ${end.signal}`)
    reader.end()
  } catch (error) {
    if (error instanceof SuiteFailure) throw cannot(error.message)
    throw error
  }
  const remarks = left === 0 ? [] : ['The command left processes behind; they were ended.']
  if (end.code === 0 || log.hasFailed) return { remarks, hasFailed: false }
  return { remarks: [...remarks, `No case failed, but the command ended with exit code ${end.code}.`], hasFailed: true }
}

async function requireFolder(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new SuiteFailure('the folder in which the command runs is missing')
}

function describeStart({ command }: CommandDefinition, code: string): string {
  const program = JSON.stringify(command[0])
  if (code === 'ENOENT') return `the command cannot be started: the program ${program} was not found`
  if (code === 'EACCES') return `the command cannot be started: ${program} may not be run`
  return `the command cannot be started: ${program} (${code})`
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return undefined
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
}
