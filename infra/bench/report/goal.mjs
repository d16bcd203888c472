/**
 * What a figure is wanted to be, and how it compares.
 *
 * @typedef {object} Goal
 * @property {string} text
 * @property {(figure: { ours: number, ratio: number | null }) => boolean | null} isMet null where nothing is wanted
 */

/**
 * @param {number} bound of ours / peer
 * @returns {Goal}
 */
export function ratioAtLeast(bound) {
  return { text: `ratio >= ${bound}`, isMet: ({ ratio }) => ratio !== null && ratio >= bound }
}

/**
 * @param {number} bound of ours / peer
 * @returns {Goal}
 */
export function ratioAtMost(bound) {
  return { text: `ratio <= ${bound}`, isMet: ({ ratio }) => ratio !== null && ratio <= bound }
}

/**
 * @param {number} bound in the unit of the figure
 * @returns {Goal}
 */
export function oursAtMost(bound) {
  return { text: `ours <= ${bound}`, isMet: ({ ours }) => ours <= bound }
}

/** @type {Goal} */
export const STATED = { text: 'stated', isMet: () => null }
