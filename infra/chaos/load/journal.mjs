/**
 * What one caller was told: of the end of a call, or why it is not told.
 *
 * @typedef {object} Told
 * @property {string | undefined} callId
 * @property {string | undefined} code of the failure; absent for a result
 * @property {string | undefined} [reason] of the failure, in words
 * @property {number} leftMs of the time for which the caller was ready to wait
 * @property {unknown} [answeredOrder] the operation that the result says it is for
 */

/**
 * What a watcher saw.
 *
 * @typedef {object} Sight
 * @property {string[]} ids of the events, in the order in which they came
 * @property {number[]} seqs
 * @property {number} resets
 * @property {string[]} pauses each before another connection: how long, and why
 * @property {boolean} isWhole whether the stream said that the trace had ended
 */

/**
 * What a caller did and saw, all that the rules are held against.
 *
 * @typedef {object} Entry
 * @property {import('./orders.mjs').Order} order
 * @property {Set<string>} acknowledged calls that a hub said it has
 * @property {Told[]} told
 * @property {number} patienceEndsAtMs when the caller waits no longer, as `performance.now()` counts
 * @property {Sight | undefined} sight
 * @property {number} waitedMs the longest wait
 * @property {number} boundMs what that may be
 * @property {unknown} fault what no caller should meet
 */

/**
 * @param {import('./orders.mjs').Order} order
 * @returns {Entry}
 */
export function openEntry(order) {
  return {
    order,
    acknowledged: new Set(),
    told: [],
    patienceEndsAtMs: Number.POSITIVE_INFINITY,
    sight: undefined,
    waitedMs: 0,
    boundMs: Number.POSITIVE_INFINITY,
    fault: undefined,
  }
}

/** What a caller has just been told goes into its entry. @param {Entry} entry @param {Omit<Told, 'leftMs'>} told */
export function noteTold(entry, told) {
  entry.told.push({ ...told, leftMs: entry.patienceEndsAtMs - performance.now() })
}
