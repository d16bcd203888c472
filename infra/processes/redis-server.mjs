import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { findFreePort } from '../../apps/standalone/dist/redis/free-port.js'
import { spawnServer } from '../../apps/standalone/dist/redis/server-process.js'
import { waitUntilReady } from '../../apps/standalone/dist/redis/server-readiness.js'
import { findServerProgram } from '../../apps/standalone/dist/redis/server-search.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ignore = () => undefined

/**
 * @typedef {object} RedisServer
 * @property {string} url stays the same through kills
 * @property {string} dataDir where its log of writes is
 * @property {Redis} client for questions of one's own; it connects again by itself
 * @property {() => Promise<void>} start after a kill
 * @property {() => Promise<void>} kill as kill -9 does
 * @property {(signal: NodeJS.Signals) => void} signal sends it one
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
  const port = await findFreePort()
  const password = randomBytes(24).toString('base64url')
  const url = `redis://:${password}@127.0.0.1:${port}`
  const { command } = await findServerProgram({
    programDir: join(root, '.synchub', 'redis-program'),
    onProgress: ignore,
  })
  const pidFile = join(dataDir, 'redis.pid')
  const configFile = join(root, 'infra', 'redis.conf')
  const setting = { command, configFile, dataDir, pidFile, title: name, port, password }
  let server = spawnServer(setting)
  room.atEnd(() => server.stop())
  const untilReady = async () => {
    const { outcome } = await waitUntilReady({ url, ended: server.ended, onProgress: ignore })
    if (outcome !== 'ready') throw new Error(`the Redis server does not start: ${await server.ended}`)
  }
  await untilReady()
  const client = new Redis(url, { retryStrategy: () => 100, maxRetriesPerRequest: null })
  // It is away now and then by intent; who asks waits.
  client.on('error', ignore)
  room.atEnd(() => client.disconnect())
  const signal = (/** @type {NodeJS.Signals} */ which) =>
    void process.kill(Number(readFileSync(pidFile, 'utf8')), which)
  return {
    url,
    dataDir,
    client,
    signal,
    async start() {
      server = spawnServer(setting)
      await untilReady()
    },
    async kill() {
      signal('SIGKILL')
      await server.ended
    },
  }
}
