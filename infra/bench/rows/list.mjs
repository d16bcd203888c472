import { callCost } from './call-cost.mjs'
import { eventLatency } from './event-latency.mjs'
import { fanOut } from './fan-out.mjs'
import { growth } from './growth.mjs'
import { idleWatchers } from './idle-watchers.mjs'
import { laterStart } from './later-start.mjs'
import { lostDispatcher } from './lost-dispatcher.mjs'
import { mcpCall } from './mcp-call.mjs'
import { pagedReplay } from './paged-replay.mjs'
import { queuedCall } from './queued-call.mjs'
import { shortCall } from './short-call.mjs'
import { twoOfEach } from './two-of-each.mjs'

/**
 * One row of the bench: something that SyncHub does, measured beside a peer in the same run.
 *
 * @typedef {object} Row
 * @property {string} id a letter
 * @property {string} title
 * @property {(bench: Bench) => Promise<Measurement>} measure
 */

/**
 * What a row is measured with.
 *
 * @typedef {object} Bench
 * @property {boolean} short only show that it measures, in some seconds
 * @property {import('../../processes/room.mjs').Room} room everything that is started is started in it, and ends with it
 */

/**
 * @typedef {object} Measurement
 * @property {readonly Figure[]} figures the first one is the row's own; the names of the others follow its id
 * @property {readonly string[]} [lines] what else is worth telling
 */

/**
 * @typedef {object} Figure
 * @property {string} [name] e.g. `p99`
 * @property {string} [title] that of the row where there is none
 * @property {number} ours
 * @property {number | null} peer null where there is none
 * @property {string} unit
 * @property {import('../report/goal.mjs').Goal} goal
 */

/**
 * All rows, in the order in which they are measured.
 *
 * @type {readonly Row[]}
 */
export const ROWS = [
  shortCall,
  queuedCall,
  fanOut,
  idleWatchers,
  eventLatency,
  pagedReplay,
  lostDispatcher,
  callCost,
  mcpCall,
  laterStart,
  growth,
  twoOfEach,
]
