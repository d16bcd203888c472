import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Longer than a dispatcher's lock on its jobs and the check for lapsed ones: another has taken its calls when it wakes. */
const FREEZE_MS = 9000
/** How long somebody who starts things again tries to; a Redis that is away lets hub and dispatcher end at once. */
const RESTART_PATIENCE_MS = 30_000
const RESTART_PAUSE_MS = 200

/**
 * What can happen to the fleet. One blow of each kind falls before any falls again.
 *
 * @typedef {object} Blow
 * @property {string} name
 * @property {boolean} [isSlow] others may fall meanwhile
 * @property {(fleet: import('./fleet.mjs').Fleet, dice: import('../dice.mjs').Dice) => Promise<void>} fall settles once all is up again
 */

/** @type {readonly Blow[]} */
const BLOWS = [
  { name: 'kill -9 of a dispatcher', fall: ({ dispatchers }, dice) => replace(dice.pick(dispatchers), dice) },
  { name: 'kill -9 of Redis', fall: ({ redis }, dice) => replace({ name: 'Redis', ...redis }, dice) },
  { name: 'kill -9 of an agent', fall: ({ agents }, dice) => replace(dice.pick(agents), dice) },
  { name: 'kill -9 of a hub', fall: ({ hubs }, dice) => replace(dice.pick(hubs), dice) },
  { name: 'SIGSTOP of a dispatcher', isSlow: true, fall: ({ dispatchers }, dice) => freeze(dice.pick(dispatchers)) },
  { name: 'kill -9 of a child process', fall: async ({ pidFolder }, dice) => killChild(pidFolder, dice) },
  { name: 'kill -9 of a hub and a dispatcher', fall: replaceBoth },
]

/**
 * Draws which blow falls when.
 *
 * @param {number} count
 * @param {import('../dice.mjs').Dice} dice
 * @returns {Blow[]}
 */
export function drawBlows(count, dice) {
  /** @type {Blow[]} */
  const blows = []
  while (blows.length < count) blows.push(...dice.shuffle(BLOWS))
  return blows.slice(0, count)
}

/** @param {Pick<import('./fleet.mjs').Member, 'name' | 'kill' | 'start'>} member @param {import('../dice.mjs').Dice} dice */
async function replace({ name, kill, start }, dice) {
  const awayMs = dice.between(50, 1500)
  await kill()
  await delay(awayMs)
  const givenUpAtMs = performance.now() + RESTART_PATIENCE_MS
  for (;;) {
    try {
      return await start()
    } catch (thrown) {
      if (performance.now() > givenUpAtMs) throw new Error(`${name} does not start again`, { cause: thrown })
      await delay(RESTART_PAUSE_MS)
    }
  }
}

/** @type {Blow['fall']} */
async function replaceBoth({ hubs, dispatchers }, dice) {
  await Promise.all([replace(dice.pick(hubs), dice), replace(dice.pick(dispatchers), dice)])
}

/** @param {import('./fleet.mjs').Member} member */
async function freeze(member) {
  member.signal('SIGSTOP')
  await delay(FREEZE_MS)
  member.signal('SIGCONT')
}

/** A child process of a dispatcher, which has to start it anew. @param {string} folder @param {import('../dice.mjs').Dice} dice */
async function killChild(folder, dice) {
  const alive = readdirSync(folder).filter((pid) => isOurs(pid, folder))
  if (alive.length === 0) return
  process.kill(Number(dice.pick(alive)), 'SIGKILL')
}

/** Whether that process still is the one that left its number: the system gives numbers again. @param {string} pid @param {string} folder */
function isOurs(pid, folder) {
  const commandLine = `/proc/${pid}/cmdline`
  return existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes(folder)
}
