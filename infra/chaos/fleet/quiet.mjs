import { setTimeout as delay } from 'node:timers/promises'
import { countOpen, findSigns } from '../check/stored.mjs'

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
 * Waits until the signs of life of killed processes have lapsed and the living have taken their leases over: each sign that is left
 * was given again meanwhile. What is left after a stop in good order was then left by that.
 *
 * @param {import('ioredis').Redis} redis
 */
export async function untilTakenOver(redis) {
  const beganAtMs = performance.now()
  let before = await findSigns(redis)
  const unsure = new Set(before.keys())
  while (unsure.size > 0 && performance.now() - beganAtMs < QUIET_PATIENCE_MS) {
    await delay(LOOK_MS)
    const now = await findSigns(redis)
    for (const name of unsure) if ((now.get(name) ?? Infinity) > (before.get(name) ?? 0)) unsure.delete(name)
    before = now
  }
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
