import { parseOptions } from '../launch/command.mjs'

/** What `--help` prints. */
export const USAGE = `npm run bench -- [options]

  --only a,c      measures these rows only
  --short         seconds for each row: shows that everything measures, says nothing about speed
  --json FILE     writes [{id, ours, peer, ratio, goal, met}] as well
  --profile DIR   writes CPU profiles of hub and dispatcher there
  --help          prints this`

/**
 * What a run is wanted to do.
 *
 * @typedef {object} Wishes
 * @property {boolean} help
 * @property {boolean} short
 * @property {readonly string[] | undefined} only ids of rows
 * @property {string | undefined} json
 * @property {string | undefined} profile
 */

/**
 * @param {readonly string[]} args
 * @returns {Wishes}
 * @throws {import('../launch/command.mjs').ArgumentError}
 */
export function readArguments(args) {
  const options = /** @type {const} */ ({
    help: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'string' },
  })
  const { help, short, only, json, profile } = parseOptions(args, options, USAGE)
  return { help, short, only: only?.split(','), json, profile }
}
