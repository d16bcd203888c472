/**
 * Lets the blows fall while the calls go on: each in its share of the calls, and no call runs ahead of them.
 *
 * @typedef {object} Killer
 * @property {(number: number) => Promise<void>} mayBegin settles once the blows before this order have fallen
 * @property {(done: number) => void} onDone told how many orders have been carried out
 * @property {() => number} fallen how many blows have fallen so far
 * @property {Promise<void>} over settles once all have fallen, and all is up again
 */

/**
 * @param {import('./fleet.mjs').Fleet} fleet
 * @param {readonly import('./kills.mjs').Blow[]} blows
 * @param {number} calls
 * @param {import('../dice.mjs').Dice} dice
 * @returns {Killer}
 */
export function startKiller(fleet, blows, calls, dice) {
  const share = calls / Math.max(1, blows.length)
  let done = 0
  let fallen = 0
  /** @type {Set<() => void>} */
  const waiting = new Set()
  const wake = () => {
    for (const look of [...waiting]) look()
  }
  /** @param {() => boolean} isTrue @returns {Promise<void>} */
  const until = (isTrue) =>
    new Promise((resolve) => {
      const look = () => {
        if (!isTrue()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  const strike = async () => {
    /** @type {Promise<void>[]} */
    const slow = []
    for (const [at, blow] of blows.entries()) {
      // Anywhere in its share, but never so late that the last callers are gone.
      const dueAt = Math.floor(share * (at + dice.between(10, 70) / 100))
      await until(() => done >= dueAt)
      const falling = blow.fall(fleet, dice)
      if (blow.isSlow) slow.push(falling)
      else await falling
      fallen++
      wake()
    }
    await Promise.all(slow)
  }
  return {
    mayBegin: (number) => until(() => fallen >= blows.length || number <= share * (fallen + 1)),
    onDone(count) {
      done = count
      wake()
    },
    fallen: () => fallen,
    over: strike(),
  }
}
