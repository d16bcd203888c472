import type { CaseCounts } from '../run/case-result.js'
import type { SuiteResult } from '../run/suite-result.js'
import { clip, plainLine } from './plain-text.js'

const MAX_NAMED = 5

/** The result in a few sentences, for models and people. */
export function summarize({ suite, outcome, reason, remarks, counts, durationMs, cases }: SuiteResult): string {
  const time = describeDuration(durationMs)
  const head =
    outcome === 'error'
      ? `The suite ${suite} could not be run to its end: ${plainLine(reason ?? '')}.`
      : `The suite ${suite} ${outcome === 'passed' ? 'passed' : 'failed'} in ${time}.`
  const failed = cases.filter((entry) => entry.outcome === 'failed')
  const names = failed.slice(0, MAX_NAMED).map(({ name }) => plainLine(clip(name, 200)))
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : ''
  const sentences = [
    head,
    counts.total === 0 ? 'No case was run.' : `Cases: ${describeCounts(counts)}.`,
    ...(names.length === 0 ? [] : [`Failed: ${names.join('; ')}${more}.`]),
    ...remarks.map(plainLine),
  ]
  return sentences.join(' ')
}

/** `12, 10 passed, 1 failed, 1 skipped` */
export function describeCounts({ total, passed, failed, skipped }: CaseCounts): string {
  return `${total}, ${passed} passed, ${failed} failed, ${skipped} skipped`
}

/** `12 ms`, `3.4 s`, `2 min 5 s` */
export function describeDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`
  if (durationMs < 60_000) return `${(durationMs / 1_000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
