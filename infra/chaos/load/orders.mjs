import { FLEET_TOOLS } from '../fleet/tools.mjs'

/**
 * What a caller does with its call.
 *
 * - `waits` for the answer, with a key, through whatever happens
 * - `asks twice` at the same time, at both hubs, with one key
 * - `cancels` it after a while
 * - `watches` its trace to the end, at the other hub
 * - `breaks off`: its connection dies, and it asks again at the other hub, with its key
 * - `asks once`, without a key, and takes what comes
 *
 * @typedef {'waits' | 'asks twice' | 'cancels' | 'watches' | 'breaks off' | 'asks once'} Deed
 */

/**
 * One business operation of a caller.
 *
 * @typedef {object} Order
 * @property {number} number
 * @property {Deed} deed
 * @property {string} tool
 * @property {string} traceId
 * @property {number} hub which one it is sent to
 * @property {number} steps
 * @property {number} stepMs
 * @property {number} pauseMs before the caller does the second thing
 */

/** @type {readonly Deed[]} */
const DEEDS = [
  ...Array(5).fill('waits'),
  ...Array(2).fill('asks twice'),
  ...Array(3).fill('cancels'),
  ...Array(3).fill('watches'),
  ...Array(3).fill('breaks off'),
  ...Array(2).fill('asks once'),
]

/** How often a call goes into the trace of the one before. */
const SHARED_TRACE_CHANCE = 0.2
/** How often a call takes seconds, so that kills find some at work. */
const LONG_CHANCE = 0.1

/**
 * Draws what all callers do.
 *
 * @param {number} count
 * @param {import('../dice.mjs').Dice} dice
 * @returns {Order[]}
 */
export function drawOrders(count, dice) {
  /** @type {Order[]} */
  const orders = []
  for (let number = 1; number <= count; number++) {
    const last = orders.at(-1)
    const sharesTrace = last !== undefined && dice.hits(SHARED_TRACE_CHANCE)
    const isLong = dice.hits(LONG_CHANCE)
    orders.push({
      number,
      deed: dice.pick(DEEDS),
      tool: dice.pick(FLEET_TOOLS).name,
      traceId: sharesTrace ? last.traceId : `chaos-${number}`,
      hub: dice.between(0, 1),
      steps: dice.between(1, 4),
      stepMs: isLong ? dice.between(300, 900) : dice.between(5, 60),
      pauseMs: dice.between(0, 400),
    })
  }
  return orders
}
