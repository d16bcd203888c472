import { relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_INTERVAL_MS = 50

/** What the start of a run needs is gone after this, in milliseconds. */
const SETTLING_MS = 1_000

/**
 * @typedef {object} OpenHandlesOptions
 * @property {number} [goingPatienceMs] how long sockets, timers and processes of a file may take to go after its tests;
 *   10 s by default
 * @property {number} [endPatienceMs] how long the process may take to end once all is reported; 10 s by default
 */

/**
 * For runs in which all files share jest's own process (`--runInBand`), since jest waits there without end for whatever
 * a test left open, and says neither what it is nor whose. Names the files that leave something open, and ends the
 * process once everything is reported.
 */
export default class OpenHandlesReporter {
  #root
  #goingPatienceMs
  #endPatienceMs
  /** @type {Map<string, number>} */
  #usual = new Map()
  /** @type {string[]} */
  #complaints = []

  /**
   * @param {{ rootDir: string }} config of jest
   * @param {OpenHandlesOptions} [options]
   */
  constructor({ rootDir }, { goingPatienceMs = 10_000, endPatienceMs = 10_000 } = {}) {
    this.#root = rootDir
    this.#goingPatienceMs = goingPatienceMs
    this.#endPatienceMs = endPatienceMs
  }

  async onRunStart() {
    this.#usual = await fewestHandles(SETTLING_MS)
  }

  /** @param {{ path: string }} file */
  async onTestFileResult({ path }) {
    const fewest = await fewestHandles(this.#goingPatienceMs, (counts) => this.#describeAdded(counts) === '')
    const open = this.#describeAdded(fewest)
    if (open === '') return
    this.#complaints.push(`! ${relative(this.#root, path)} leaves open: ${open}`)
    // Told of this file, not of all that follow it.
    this.#usual = fewest
  }

  onRunComplete() {
    for (const complaint of this.#complaints) console.error(complaint)
    setTimeout(() => {
      console.error(
        `! the process of the tests is ended, since it does not end by itself; open: ${describe(countHandles())}`,
      )
      process.exit()
    }, this.#endPatienceMs).unref()
  }

  /** @param {Map<string, number>} counts */
  #describeAdded(counts) {
    /** @type {[string, number][]} */
    const added = [...counts].map(([kind, count]) => [kind, count - (this.#usual.get(kind) ?? 0)])
    return describe(new Map(added.filter(([, count]) => count > 0)))
  }
}

/**
 * The fewest of each kind of handle that there are within a while, since jest's own timers come and go.
 *
 * @param {number} whileMs
 * @param {(fewest: Map<string, number>) => boolean} [isEnough] ends the while early
 */
async function fewestHandles(whileMs, isEnough = () => false) {
  let fewest = countHandles()
  for (const endsAt = performance.now() + whileMs; !isEnough(fewest) && performance.now() < endsAt; ) {
    await delay(POLL_INTERVAL_MS, undefined, { ref: false })
    const counts = countHandles()
    fewest = new Map([...fewest].map(([kind, count]) => [kind, Math.min(count, counts.get(kind) ?? 0)]))
  }
  return fewest
}

/** How many there are of each kind of what keeps this process alive. */
function countHandles() {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** @param {Map<string, number>} counts */
function describe(counts) {
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
}
