import { rm } from 'node:fs/promises'

/** Ends the Redis of the run and removes its data. */
export default async function endRedis() {
  const { redis, dataDir } = globalThis.synchubTestRedis
  await redis.stop()
  await rm(dataDir, { recursive: true })
}
