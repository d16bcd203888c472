import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findServerProgram } from '../../../apps/standalone/dist/redis/server-search.js'
import { startRedis } from '../../../apps/standalone/dist/redis/start-redis.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** @type {() => Promise<void>} */
let end = async () => undefined

/**
 * Gives the whole run one Redis, found and started by the code that `npm start` uses, and tells the tests where:
 *
 * - `SYNCHUB_TEST_REDIS_URL`: the running server. Every test file keeps to a key prefix or tenant of its own.
 * - `SYNCHUB_TEST_REDIS_SERVER`: the server program, for tests that start servers of their own.
 *
 * With `REDIS_URL` set, that server is used instead of a new one.
 */
export async function startTestRedis() {
  const programDir = join(root, '.synchub', 'redis-program')
  /** @param {string} line */
  const onProgress = (line) => console.error(line)
  const program = await findServerProgram({ programDir, onProgress })
  const dataDir = await mkdtemp(join(tmpdir(), 'synchub-test-redis-'))
  const configFile = join(root, 'infra', 'redis.conf')
  const redis = await startRedis({ url: process.env.REDIS_URL, dataDir, programDir, configFile, onProgress })
  end = async () => {
    await redis.stop()
    await rm(dataDir, { recursive: true })
  }
  process.env.SYNCHUB_TEST_REDIS_URL = redis.url
  process.env.SYNCHUB_TEST_REDIS_SERVER = program.command
}

/** Ends the Redis of the run and removes its data. */
export async function endTestRedis() {
  await end()
}
