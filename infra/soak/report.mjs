import { cpus, loadavg } from 'node:os'
import { MEASURES } from './samples.mjs'

const FIRST = ['min', 'calls/s', 'p50 ms', 'p99 ms', 'failed']
const WIDTH = 8

/** What the machine is, and how much else it does. */
export function describeMachine() {
  const cores = cpus()
  return `${cores.length} x ${cores[0]?.model}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`
}

/** The head over the lines of {@link describeSample}; memory is in MiB, heaps are those right after a collection. */
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
 * @param {{ perSecond: number, p50Ms: number, p99Ms: number, failed: number }} calls
 */
export function describeSample({ minutes, values }, { perSecond, p50Ms, p99Ms, failed }) {
  const first = [minutes.toFixed(1), perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), String(failed)]
  const rest = MEASURES.map(({ name, unit }) => (values[name] ?? Number.NaN).toFixed(unit === '' ? 0 : 1))
  return [...first, ...rest].map((text) => text.padStart(WIDTH)).join(' ')
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
