import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareClone } from '../../launch/preparation.mjs'
import { Interruption, PreparationFailure } from '../../launch/preparation-failure.mjs'
import { runStep } from './check-step.mjs'
import { endLeftovers, RUN_MARK } from './leftover-processes.mjs'

/** Reason of an end that the user asked for. */
const INTERRUPTED = 'was interrupted'

/**
 * Prepares the clone, runs checks and sums them up. Every check runs even if an earlier one failed, so that one run
 * shows all there is to mend. Sets the exit code: 0 when all passed, 1 when not, 130 after Ctrl-C.
 *
 * @param {object} run
 * @param {string} run.root
 * @param {number} run.promisedMs what a run may take on two idle cores; a longer one is told, for the machine may be busy
 * @param {number} run.cutOffMs past this something hangs: the run is ended and has failed
 * @param {readonly (readonly import('./check-step.mjs').CheckStep[])[]} run.lanes lanes run side by side, the steps of
 *   one lane one after the other
 * @param {import('./check-step.mjs').CheckStep} run.tests runs alone, after the lanes
 * @returns {Promise<void>}
 */
export async function runChecks({ root, promisedMs, cutOffMs, lanes, tests }) {
  const startedAt = performance.now()
  try {
    await prepareClone({ root, say: (_step, line) => console.log(line) })
  } catch (error) {
    if (!(error instanceof PreparationFailure || error instanceof Interruption)) throw error
    console.error(error.message)
    process.exitCode = error instanceof Interruption ? error.exitCode : 1
    return
  }
  const end = new AbortController()
  const interrupt = () => end.abort(INTERRUPTED)
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  const limit = setTimeout(() => end.abort(`was cut off after ${cutOffMs / 60_000} minutes`), cutOffMs)
  const scratchDir = mkdtempSync(join(tmpdir(), 'synchub-checks-'))
  const mark = randomUUID()
  Object.assign(process.env, { TMPDIR: scratchDir, [RUN_MARK]: mark })
  try {
    const options = { root, signal: end.signal }
    const results = (await Promise.all(lanes.map((lane) => runLane(lane, options)))).flat()
    if (!end.signal.aborted) results.push(await runStep(tests, options))
    const complaints = (await endLeftovers(mark)).map((leftover) => `left running: ${leftover}`)
    if (end.signal.aborted) complaints.push(`the run ${end.signal.reason}`)
    const durationMs = performance.now() - startedAt
    summarise(results, complaints, durationMs)
    if (durationMs > promisedMs) console.log(`! took longer than the ${promisedMs / 60_000} minutes that are promised`)
    if (end.signal.reason === INTERRUPTED) process.exitCode = 130
  } finally {
    clearTimeout(limit)
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    rmSync(scratchDir, { recursive: true, force: true })
  }
}

/**
 * @param {readonly import('./check-step.mjs').CheckStep[]} lane
 * @param {{ root: string, signal: AbortSignal }} options
 */
async function runLane(lane, options) {
  const results = []
  for (const step of lane) if (!options.signal.aborted) results.push(await runStep(step, options))
  return results
}

/**
 * @param {readonly import('./check-step.mjs').CheckResult[]} results
 * @param {readonly string[]} complaints about the run as a whole
 * @param {number} durationMs
 */
function summarise(results, complaints, durationMs) {
  const width = Math.max(...results.map((result) => result.name.length), 'total'.length)
  /** @param {number} ms */
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8)
  console.log('')
  for (const { name, hasPassed, durationMs: ms, note } of results) {
    console.log(`${hasPassed ? '✓' : '✗'} ${name.padEnd(width)} ${seconds(ms)}  ${note}`.trimEnd())
  }
  for (const complaint of complaints) console.log(`✗ ${complaint}`)
  const hasPassed = complaints.length === 0 && results.every((result) => result.hasPassed)
  console.log(`${hasPassed ? '✓' : '✗'} ${'total'.padEnd(width)} ${seconds(durationMs)}`)
  process.exitCode = hasPassed ? 0 : 1
}
