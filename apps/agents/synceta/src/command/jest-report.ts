import { relative } from 'node:path'
import { z } from 'zod'
import { describeIssue } from '../configuration/issue.js'
import { showValue } from '../report/plain-text.js'
import type { CaseLog } from '../run/case-log.js'
import type { CaseOutcome, CaseResult } from '../run/case-result.js'
import { SuiteFailure } from '../run/suite-failure.js'
import type { ReportReader } from './report-reader.js'

const assertionResult = z.object({
  ancestorTitles: z.array(z.string()).default([]),
  title: z.string(),
  status: z.enum(['passed', 'failed', 'pending', 'skipped', 'todo', 'disabled', 'focused']),
  duration: z.number().nullish(),
  failureMessages: z.array(z.string()).nullish(),
  failureDetails: z.array(z.unknown()).nullish(),
})

const testFile = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  assertionResults: z.array(assertionResult),
})

const jestOutput = z.object({ testResults: z.array(testFile), wasInterrupted: z.boolean().optional() })

/** What Jest tells of a failed matcher. */
const matcherFailure = z.object({ matcherResult: z.object({ expected: z.unknown(), actual: z.unknown() }) })

const OUTCOMES = {
  passed: 'passed',
  focused: 'passed',
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
} as const satisfies Record<z.infer<typeof assertionResult>['status'], CaseOutcome>

/**
 * Reads the document that `jest --json` prints when all is over; until then nothing is known of any case. What a package manager
 * prints before it and after it is passed over.
 */
export class JestReport implements ReportReader {
  readonly #log: CaseLog
  readonly #cwd: string
  readonly #chunks: Buffer[] = []

  /** @param cwd - names of test files are shown from here */
  constructor(log: CaseLog, cwd: string) {
    this.#log = log
    this.#cwd = cwd
  }

  read(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  flush(): void {
    // What has come of a document that is not whole tells nothing.
  }

  end(): void {
    const { testResults, wasInterrupted = false } = parseDocument(Buffer.concat(this.#chunks).toString('utf8'))
    const cases = testResults.flatMap((file) => casesOf(file, relative(this.#cwd, file.name) || file.name))
    if (cases.length === 0) throw new SuiteFailure('it ran no test')
    this.#log.announce(cases.length)
    for (const entry of cases) this.#log.finish(entry)
    if (wasInterrupted) throw new SuiteFailure('its run was interrupted')
  }
}

function parseDocument(text: string): z.infer<typeof jestOutput> {
  const start = /^\{\s*"/m.exec(text)?.index
  if (start === undefined) throw new SuiteFailure('its output is no JSON of Jest')
  let document: unknown
  try {
    document = JSON.parse(text.slice(start, text.lastIndexOf('}') + 1))
  } catch (cause) {
    // The parser's words quote a piece of the output, which may begin or end within a secret.
    throw new SuiteFailure('its output begins like JSON and is none', { cause })
  }
  const checked = jestOutput.safeParse(document)
  if (checked.success) return checked.data
  throw new SuiteFailure(`its output is no JSON of Jest: ${checked.error.issues.map(describeIssue).join('; ')}`)
}

function casesOf({ status, message, assertionResults }: z.infer<typeof testFile>, file: string): CaseResult[] {
  const cases = assertionResults.map((result): CaseResult => {
    const { ancestorTitles, title, duration, failureMessages, failureDetails } = result
    const outcome = OUTCOMES[result.status]
    return {
      name: [file, ...ancestorTitles, title].join(' › '),
      outcome,
      ...(typeof duration === 'number' ? { durationMs: duration } : {}),
      ...(outcome === 'failed' ? explain(failureMessages ?? [], failureDetails ?? []) : {}),
    }
  })
  // The file itself failed: it could not be loaded, or something around its tests threw.
  if (status === 'failed' && !cases.some(({ outcome }) => outcome === 'failed'))
    cases.push({ name: file, outcome: 'failed', ...(message ? { message } : {}) })
  return cases
}

function explain(messages: readonly string[], details: readonly unknown[]): Partial<CaseResult> {
  const matched = details.map((detail) => matcherFailure.safeParse(detail)).find(({ success }) => success)
  const { expected, actual } = matched?.data?.matcherResult ?? {}
  return {
    ...(messages.length === 0 ? {} : { message: messages.join('\n\n') }),
    ...(expected === undefined ? {} : { expected: showValue(expected) }),
    ...(actual === undefined ? {} : { actual: showValue(actual) }),
  }
}
