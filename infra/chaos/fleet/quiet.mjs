import { setTimeout as delay } from 'node:timers/promises'
import { countOpen } from '../check/stored.mjs'

/** What the last seams may need: the sign of life of a killed hub, the longest attempt, and the sweep behind them. */
const QUIET_PATIENCE_MS = 90_000
const LOOK_MS = 100

/**
 * Waits until no call is open and no job is left, at most as long as that may take.
 *
 * @param {import('ioredis').Redis} redis
 * @returns {Promise<number>} how long it took, in ms
 */
export async function untilQuiet(redis) {
  const beganAtMs = performance.now()
  // What is still open then is found by the rules, each call by its name.
  while ((await countOpen(redis)) > 0 && performance.now() - beganAtMs < QUIET_PATIENCE_MS) await delay(LOOK_MS)
  return performance.now() - beganAtMs
}

/**
 * Stops all but Redis as an operator does; what they give up in good order must be gone from Redis then.
 *
 * @param {import('./fleet.mjs').Fleet} fleet
 * @returns {Promise<import('../check/rules.mjs').Breach[]>}
 */
export async function stopInOrder({ hubs, dispatchers, agents }) {
  const apps = [...hubs, ...dispatchers]
  const codes = await Promise.all(apps.map((app) => app.stop()))
  await Promise.all(agents.map((agent) => agent.stop()))
  return apps.flatMap(({ name }, at) =>
    codes[at] === 0 ? [] : [{ kind: 'other', rule: 'an app ends with 0', detail: `${name} ended with ${codes[at]}` }],
  )
}
