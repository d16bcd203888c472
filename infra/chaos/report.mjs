import { groupBy } from './groups.mjs'

/** Most breaches of one rule that are printed; the folder has the rest. */
const MAX_SHOWN = 10
const PROGRESS_EVERY_MS = 2000

/**
 * Prints how far the run is, at a pace.
 *
 * @param {{ calls: number, kills: number, fallen: () => number }} run
 */
export function startProgress({ calls, kills, fallen }) {
  const beganAtMs = performance.now()
  let done = 0
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - beganAtMs) / 1000)
    const line = `${done} of ${calls} calls, ${fallen()} of ${kills} kills, ${seconds} s`
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`)
  }, PROGRESS_EVERY_MS)
  return {
    /** @param {number} count */
    onDone(count) {
      done = count
    },
    stop() {
      clearInterval(timer)
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
    },
  }
}

/**
 * @typedef {object} Facts
 * @property {number} calls
 * @property {readonly import('./fleet/kills.mjs').Blow[]} blows
 * @property {readonly import('./load/journal.mjs').Entry[]} entries
 * @property {import('./check/stored.mjs').Stored} stored
 * @property {readonly import('./agents/ledger.mjs').Execution[]} executions
 * @property {number} settledMs
 * @property {number} tookMs
 */

/**
 * @param {Facts} facts
 * @param {readonly import('./check/rules.mjs').Breach[]} breaches
 */
export function describeRun({ calls, blows, entries, stored, executions, settledMs, tookMs }, breaches) {
  const told = entries.flatMap((entry) => entry.told)
  const sights = entries.flatMap(({ sight }) => (sight === undefined ? [] : [sight]))
  const events = [...stored.logs.values()].reduce((sum, log) => sum + log.length, 0)
  const waits = entries.map(({ waitedMs }) => waitedMs).toSorted((left, right) => left - right)
  const count = (/** @type {string} */ kind) => breaches.filter((breach) => breach.kind === kind).length
  return [
    `kills    ${tally(blows.map(({ name }) => name))}`,
    `deeds    ${tally(entries.map(({ order }) => order.deed))}`,
    `told     ${tally(told.map(({ code }) => code ?? 'a result'))}`,
    `calls    ${tally([...stored.calls.values()].map(({ state }) => state))}; ${executions.length} executions`,
    `events   ${events} in ${stored.logs.size} traces; ${sights.length} watchers saw ${sights.reduce((sum, { ids }) => sum + ids.length, 0)}`,
    `waits    median ${Math.round(waits[Math.floor(waits.length / 2)] ?? 0)} ms, longest ${Math.round(waits.at(-1) ?? 0)} ms`,
    `time     ${(tookMs / 1000).toFixed(1)} s, of which ${(settledMs / 1000).toFixed(1)} s until all was quiet`,
    ...[...groupBy(breaches, ({ rule }) => rule)].flatMap(([rule, all]) => [
      `BROKEN   ${rule}: ${all.length} times`,
      ...all
        .slice(0, MAX_SHOWN)
        .map(({ callId, traceId, detail }) => `         call ${callId ?? '-'} trace ${traceId ?? '-'}: ${detail}`),
    ]),
    `${calls} calls, ${blows.length} kills, ${count('lost')} lost, ${count('doubled')} doubled`,
  ].join('\n')
}

/** @param {readonly string[]} names */
function tally(names) {
  return [...groupBy(names, (name) => name)]
    .toSorted(([, left], [, right]) => right.length - left.length)
    .map(([name, all]) => `${all.length} ${name}`)
    .join(', ')
}
