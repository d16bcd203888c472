import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHub } from './hub.mjs'
import { startProgram } from './program.mjs'
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

/**
 * Starts the programs of hub and dispatcher with a configuration, and waits until the tools of its agents are known.
 *
 * @param {import('./room.mjs').Room} room
 * @param {object} config as in synchub.config.json
 * @returns {Promise<System>}
 */
export async function startSystem(room, config) {
  const redis = await startRedisServer(room)
  const file = join(room.folder, 'dispatcher.config.json')
  writeFileSync(file, JSON.stringify(config))
  const environment = { REDIS_URL: redis.url, SYNCHUB_CONFIG: file, LOG_LEVEL: 'info' }
  const startDispatcher = () =>
    startProgram(room, 'apps/dispatcher/dist/main.js', {
      environment,
      readyLine: (line) => (line.includes('"msg":"dispatcher takes calls"') ? true : undefined),
    })
  const dispatcher = await startDispatcher()
  const hub = await startHub(room, redis.url, config)
  return { url: hub.ready, hub, dispatcher, redis, startDispatcher }
}
