import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findServerProgram } from '../../../apps/standalone/dist/redis/server-search.js'
import { startRedis } from '../../../apps/standalone/dist/redis/start-redis.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Gives the whole run one Redis, found and started by the code that `npm start` uses, and tells the tests where:
 *
 * - `SYNCHUB_TEST_REDIS_URL`: the running server. Every test file keeps to a key prefix or tenant of its own.
 * - `SYNCHUB_TEST_REDIS_SERVER`: the server program, for tests that start servers of their own.
 *
 * With `REDIS_URL` set, that server is used instead of a new one.
 */
export default async function provideRedis() {
  const programDir = join(root, '.synchub', 'redis', 'program')
  const onProgress = (line) => console.error(line)
  const program = await findServerProgram({ programDir, onProgress })
  const dataDir = await mkdtemp(join(tmpdir(), 'synchub-test-redis-'))
  const configFile = join(root, 'infra', 'redis.conf')
  const redis = await startRedis({ url: process.env.REDIS_URL, dataDir, programDir, configFile, onProgress })
  process.env.SYNCHUB_TEST_REDIS_URL = redis.url
  process.env.SYNCHUB_TEST_REDIS_SERVER = program.command
  globalThis.synchubTestRedis = { redis, dataDir }
}
