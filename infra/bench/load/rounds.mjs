import { quantile } from './quantile.mjs'

/**
 * Measures two sides in turns, so that what else goes on at the machine meets both alike.
 *
 * @template Result
 * @param {{ rounds: number, ours: () => Promise<Result>, peer: () => Promise<Result> }} options
 * @returns {Promise<{ ours: Result[], peer: Result[] }>}
 */
export async function takeTurns({ rounds, ours, peer }) {
  /** @type {Result[]} */
  const oursResults = []
  /** @type {Result[]} */
  const peerResults = []
  for (let round = 0; round < rounds; round++) {
    oursResults.push(await ours())
    peerResults.push(await peer())
  }
  return { ours: oursResults, peer: peerResults }
}

/**
 * The median over the rounds of one number of their results.
 *
 * @template Result
 * @param {readonly Result[]} results
 * @param {(result: Result) => number} read
 * @returns {number}
 */
export function medianOf(results, read) {
  return quantile(results.map(read), 0.5)
}
