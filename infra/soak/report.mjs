import { cpus, loadavg } from 'node:os'
import { quantile } from '../bench/load/quantile.mjs'
import { MEASURES } from './samples.mjs'

const FIRST = ['min', 'calls/s', 'p50 ms', 'p99 ms', 'failed', 'own %', 'other %']
const WIDTH = 8
/** Of the machine: what others may use while the latencies still count as those of SyncHub alone. */
const QUIET_PERCENT = 15

/**
 * What callers and processors saw from one look at the processes to the next.
 *
 * @typedef {{ perSecond: number, p50Ms: number, p99Ms: number, failed: number } & import('./processors.mjs').ProcessorShares} Slice
 */

/** What the machine is, and how much else it does. */
export function describeMachine() {
  const cores = cpus()
  return `${cores.length} x ${cores[0]?.model}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`
}

/**
 * The head over the lines of {@link describeSample}: what part of the machine the soak's own processes use, and what part others; memory in
 * MiB, heaps right after a collection.
 */
export const SAMPLE_HEADER = [FIRST.join(' '), ...MEASURES.map(({ name }) => name)]
  .flatMap((name, at) => (at === 0 ? FIRST : [shorten(name)]))
  .map((name) => name.padStart(WIDTH))
  .join(' ')

/** @param {string} name `dispatcher handles` becomes `d.handl` */
function shorten(name) {
  const [process = '', what = ''] = name.split(' ')
  return `${process.charAt(0)}.${what.slice(0, 6)}`
}

/**
 * @param {import('./samples.mjs').Sample} sample
 * @param {Slice} slice
 */
export function describeSample({ minutes, values }, { perSecond, p50Ms, p99Ms, failed, ownPercent, otherPercent }) {
  const calls = [minutes.toFixed(1), perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), String(failed)]
  const first = [...calls, ownPercent.toFixed(0), otherPercent.toFixed(0)]
  const rest = MEASURES.map(({ name, unit }) => (values[name] ?? Number.NaN).toFixed(unit === '' ? 0 : 1))
  return [...first, ...rest].map((text) => text.padStart(WIDTH)).join(' ')
}

/**
 * The latencies of those slices in which the machine did little else; on two full cores a call waits for whoever has them.
 *
 * @param {readonly Slice[]} slices
 */
export function describeLatency(slices) {
  const quiet = slices.filter(({ otherPercent }) => otherPercent <= QUIET_PERCENT)
  const count = `${quiet.length} of ${slices.length} lines, in which others had at most ${QUIET_PERCENT} % of the machine`
  if (quiet.length === 0) return count
  const [p50, p99] = [quiet.map(({ p50Ms }) => p50Ms), quiet.map(({ p99Ms }) => p99Ms)].map(
    (values) => `${quantile(values, 0.5).toFixed(1)} ms, at most ${Math.max(...values).toFixed(1)}`,
  )
  return `${count}: p50 ${p50}; p99 ${p99} (medians of these lines)`
}

/** @param {readonly import('./samples.mjs').Trend[]} trends a table in Markdown */
export function describeTrends(trends) {
  const lines = trends.map(({ name, unit, mean, slope, growth, allowed, flat }) => {
    const cells = [name, unit, mean.toFixed(1), slope.toFixed(3), growth.toFixed(1), allowed.toFixed(1)]
    return `| ${[...cells, flat ? 'yes' : 'NO'].join(' | ')} |`
  })
  return [
    '| what | unit | mean | slope per minute | growth | allowed | flat |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}
