import { startDispatcher, startHub } from './apps.mjs'
import { startRedisServer } from './redis-server.mjs'

/**
 * SyncHub as production runs it: hub, dispatcher and Redis, each a process of its own.
 *
 * @typedef {object} System
 * @property {string} url of the hub
 * @property {import('./program.mjs').Program} hub
 * @property {import('./program.mjs').Program} dispatcher
 * @property {import('./redis-server.mjs').RedisServer} redis
 * @property {() => Promise<import('./program.mjs').Program>} startDispatcher a further one
 */

const READY_PATIENCE_MS = 20_000
const LOOK_MS = 50

/**
 * Starts the programs of hub and dispatcher with a configuration.
 *
 * @param {import('./room.mjs').Room} room
 * @param {object} config as in synchub.config.json
 * @param {(line: string) => void} [onLine] told each line of their logs
 * @param {string} [name] where a room has several
 * @returns {Promise<System>}
 */
export async function startSystem(room, config, onLine, name) {
  const redis = await startRedisServer(room, name)
  const options = { redisUrl: redis.url, config, ...(onLine && { onLine }) }
  const dispatcher = await startDispatcher(room, options)
  const hub = await startHub(room, options)
  return { url: hub.ready, hub, dispatcher, redis, startDispatcher: () => startDispatcher(room, options) }
}

/**
 * Waits until a hub takes calls, which is once its agents are known.
 *
 * @param {string} url
 */
export async function untilTakesCalls(url) {
  const deadline = Date.now() + READY_PATIENCE_MS
  while (!(await fetch(`${url}/readyz`)).ok) {
    if (Date.now() > deadline) throw new Error(`the hub at ${url} does not take calls`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
