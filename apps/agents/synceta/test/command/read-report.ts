import type { ReportReader } from '../../src/command/report-reader.js'
import { CaseLog } from '../../src/run/case-log.js'
import type { CaseResult } from '../../src/run/case-result.js'

/** What a reader made of an output. */
export interface ReadReport {
  readonly cases: readonly CaseResult[]
  /** Of each case: how many had finished, and of how many. */
  readonly counted: readonly (readonly [number, number | undefined])[]
  readonly failure: string | undefined
}

/** Lets a reader read an output that comes in pieces of this many bytes. */
export function readReport(makeReader: (log: CaseLog) => ReportReader, text: string, pieceBytes = 7): ReadReport {
  const counted: (readonly [number, number | undefined])[] = []
  const log = new CaseLog({
    maxCases: 50,
    redact: (said) => said,
    onFinished: (_result, finished, total) => counted.push([finished, total]),
  })
  const failure = failureOf(() => {
    const reader = makeReader(log)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += pieceBytes) reader.read(bytes.subarray(at, at + pieceBytes))
    reader.end()
  })
  return { cases: log.cases, counted, failure }
}

function failureOf(read: () => void): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
