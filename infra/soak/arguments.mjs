import { ArgumentError, parseOptions } from '../launch/command.mjs'

/** What `--help` prints. */
export const USAGE = `npm run soak -- [options]

  --minutes N   how long the load lasts; 10 by default
  --watchers    instead of all that: what slow and dead watchers cost, in some two minutes
  --short       some seconds: shows that everything measures, says nothing about memory
  --help        prints this`

const MAX_MINUTES = 24 * 60
/** Looks at the processes; the first fifth of them warms up. */
const SAMPLE_MS = 30_000

/**
 * What a run is wanted to do.
 *
 * @typedef {object} Wishes
 * @property {boolean} help
 * @property {boolean} short
 * @property {boolean} watchers
 * @property {number} capacityMs how long the capacity is measured
 * @property {number} sampleMs from one look at the processes to the next
 * @property {number} samples
 */

/**
 * @param {readonly string[]} args
 * @returns {Wishes}
 * @throws {ArgumentError}
 */
export function readArguments(args) {
  const options = /** @type {const} */ ({
    help: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    watchers: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
  })
  const { help, short, watchers, minutes: text } = parseOptions(args, options, USAGE)
  const minutes = Number(text)
  if (!(minutes >= 1 && minutes <= MAX_MINUTES)) {
    throw new ArgumentError(`--minutes must be a number from 1 to ${MAX_MINUTES}, is "${text}"`, USAGE)
  }
  if (short) return { help, short, watchers, capacityMs: 1000, sampleMs: 1000, samples: 6 }
  const samples = Math.round((minutes * 60_000) / SAMPLE_MS)
  return { help, short, watchers, capacityMs: 10_000, sampleMs: SAMPLE_MS, samples }
}
