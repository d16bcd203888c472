import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { startRedis } from '../../../apps/standalone/dist/redis/start-redis.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * @typedef {object} RedisServer
 * @property {string} url
 * @property {Redis} client for the bench's own questions
 */

/**
 * A Redis server of the room's own, with the settings that `npm start` gives it: the log of every write, synced each second.
 *
 * @param {import('./room.mjs').Room} room
 * @param {string} [name] where a room has several
 * @returns {Promise<RedisServer>}
 */
export async function startRedisServer(room, name = 'redis') {
  const dataDir = join(room.folder, name)
  mkdirSync(dataDir)
  const server = await startRedis({
    url: undefined,
    dataDir,
    programDir: join(root, '.synchub', 'redis-program'),
    configFile: join(root, 'infra', 'redis.conf'),
    onProgress: () => undefined,
  })
  room.atEnd(() => server.stop())
  const client = new Redis(server.url)
  room.atEnd(() => client.disconnect())
  return { url: server.url, client }
}
