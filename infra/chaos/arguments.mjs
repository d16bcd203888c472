import { randomInt } from 'node:crypto'
import { ArgumentError, parseOptions } from '../launch/command.mjs'

/** What `--help` prints. */
export const USAGE = `npm run chaos -- [options]

  --calls N    calls that are made; 1000 by default
  --kills N    processes that are killed or frozen meanwhile; 20 by default
  --seed N     draws the calls, the victims and the moments; a random one by default
  --help       prints this`

/**
 * What a run is wanted to do.
 *
 * @typedef {object} Wishes
 * @property {boolean} help
 * @property {number} calls
 * @property {number} kills
 * @property {number} seed
 */

/**
 * @param {readonly string[]} args
 * @returns {Wishes}
 * @throws {ArgumentError}
 */
export function readArguments(args) {
  const options = /** @type {const} */ ({
    help: { type: 'boolean', default: false },
    calls: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string' },
  })
  const { help, calls, kills, seed } = parseOptions(args, options, USAGE)
  return {
    help,
    calls: wholeNumber('--calls', calls),
    kills: wholeNumber('--kills', kills),
    seed: seed === undefined ? randomInt(2 ** 31) : wholeNumber('--seed', seed),
  }
}

/** @param {string} name @param {string} text */
function wholeNumber(name, text) {
  if (!/^\d{1,10}$/.test(text)) throw new ArgumentError(`${name} must be a whole number, is "${text}"`, USAGE)
  return Number(text)
}
