/**
 * Random draws that a seed repeats.
 *
 * @typedef {object} Dice
 * @property {(from: number, to: number) => number} between a whole number, both ends included
 * @property {(chance: number) => boolean} hits with a chance from 0 to 1
 * @property {<T>(items: readonly T[]) => T} pick
 * @property {<T>(items: readonly T[]) => T[]} shuffle
 */

/**
 * @param {number} seed
 * @returns {Dice}
 */
export function createDice(seed) {
  let state = seed >>> 0
  // The mulberry32 generator: 32 bits of state, good enough for draws, and the same on every machine.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  /** @type {Dice['between']} */
  const between = (from, to) => from + Math.floor(next() * (to - from + 1))
  /** @type {Dice['pick']} */
  const pick = (items) => {
    const item = items[between(0, items.length - 1)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }
  return {
    between,
    pick,
    hits: (chance) => next() < chance,
    shuffle: (items) =>
      items
        .map((item) => ({ item, place: next() }))
        .toSorted((left, right) => left.place - right.place)
        .map(({ item }) => item),
  }
}
