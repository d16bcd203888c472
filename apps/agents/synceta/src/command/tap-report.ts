import { StringDecoder } from 'node:string_decoder'
import { Parser, type Result } from 'tap-parser'
import { plainLine, showValue } from '../report/plain-text.js'
import type { CaseLog } from '../run/case-log.js'
import type { CaseResult } from '../run/case-result.js'
import { SuiteFailure } from '../run/suite-failure.js'
import type { ReportReader } from './report-reader.js'

/** A line is held until it is whole. */
const MAX_LINE_LENGTH = 1024 * 1024

/**
 * Reads TAP as it comes. Each test point is a case; one that only sums up its subtests is none, unless it fails though all of them
 * passed. A test point is known to be over when the next line has come, since its diagnostics may follow. How many cases there will
 * be is known from a plan that comes first, as long as there are no subtests.
 */
export class TapReport implements ReportReader {
  readonly #log: CaseLog
  readonly #parser = new Parser()
  readonly #decoder = new StringDecoder('utf8')
  /** The beginning of a line whose end has not come. */
  #rest = ''
  #hasPlan = false
  #isOver = false
  #hasSubtests = false
  #bailout: string | undefined
  /** The parser would take what is thrown out of it for its own failure. */
  #failure: Error | undefined

  constructor(log: CaseLog) {
    this.#log = log
    this.#follow(this.#parser)
    this.#parser.on('plan', ({ start, end }) => {
      // The parser makes a plan up where none has come.
      if (this.#isOver) return
      this.#hasPlan = true
      if (this.#log.finished === 0 && !this.#hasSubtests) this.#log.announce(Math.max(0, end - start + 1))
    })
    this.#parser.on('bailout', (reason: string) => {
      this.#bailout ??= plainLine(reason)
    })
  }

  read(chunk: Buffer): void {
    const text = this.#rest + this.#decoder.write(chunk)
    const whole = text.lastIndexOf('\n') + 1
    this.#rest = text.slice(whole)
    if (this.#rest.length > MAX_LINE_LENGTH)
      throw new SuiteFailure(`its output has a line of over ${MAX_LINE_LENGTH} characters`)
    if (whole > 0) this.#parser.write(text.slice(0, whole))
    this.#throwFailure()
  }

  flush(): void {
    this.#isOver = true
    this.#parser.end()
  }

  end(): void {
    this.#rest += this.#decoder.end()
    if (this.#rest !== '') this.#parser.write(`${this.#rest}\n`)
    this.flush()
    this.#throwFailure()
    if (this.#bailout !== undefined) throw new SuiteFailure(`it bailed out: ${this.#bailout || 'no reason given'}`)
    const { results } = this.#parser
    if (!this.#hasPlan && this.#log.finished === 0)
      throw new SuiteFailure('its output is no TAP: it has neither a plan nor a test')
    if (!this.#hasPlan) throw new SuiteFailure(`its TAP broke off after ${this.#log.finished} cases: there is no plan`)
    const planned = results?.plan.end ?? 0
    const counted = results?.count ?? 0
    if (planned !== counted && results?.plan.skipAll !== true)
      throw new SuiteFailure(`its TAP is not complete: ${planned} tests were planned, ${counted} came`)
  }

  #follow(parser: Parser): void {
    let failedInside = 0
    parser.on('child', (child: Parser) => {
      this.#hasSubtests = true
      this.#log.announce(undefined)
      this.#follow(child)
      child.on('complete', ({ ok }: { readonly ok: boolean }) => {
        if (!ok) failedInside += 1
      })
    })
    parser.on('assert', (point: Result) => {
      const hasFailedInside = failedInside > 0
      failedInside = 0
      if (point.closingTestPoint && (point.ok || hasFailedInside)) return
      this.#finish(toCase(point))
    })
  }

  #finish(result: CaseResult): void {
    if (this.#failure !== undefined) return
    try {
      this.#log.finish(result)
    } catch (error) {
      this.#failure = error as Error
    }
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }
}

function toCase({ ok, name, fullname, id, skip, todo, time, diag }: Result): CaseResult {
  const outcome = skip !== false || todo !== false ? 'skipped' : ok ? 'passed' : 'failed'
  const title = (fullname || name).trim() || `test ${id}`
  const remark = typeof skip === 'string' ? skip : typeof todo === 'string' ? todo : undefined
  return {
    name: title,
    outcome,
    ...(typeof time === 'number' ? { durationMs: time } : {}),
    ...(outcome === 'failed' ? explain(diag) : {}),
    ...(outcome === 'skipped' && remark !== undefined ? { message: remark } : {}),
  }
}

/** What TAP producers write under a failed test: `expected` and `actual` or `found` and `wanted`, a message, a stack. */
function explain(diag: unknown): Partial<CaseResult> {
  if (typeof diag !== 'object' || diag === null) return {}
  const details = new Map<string, unknown>(Object.entries(diag))
  const first = (...names: string[]) => names.map((name) => details.get(name)).find((value) => value !== undefined)
  const expected = first('expected', 'wanted')
  const actual = first('actual', 'found')
  const message = [first('message', 'error'), details.get('stack')]
    .filter((part) => typeof part === 'string')
    .join('\n')
  return {
    ...(expected === undefined ? {} : { expected: showValue(expected) }),
    ...(actual === undefined ? {} : { actual: showValue(actual) }),
    ...(message === '' ? {} : { message }),
  }
}
