// Starts a Redis as `npm start` does, prints its URL and holds it. At SIGINT it prints whether the server still answers,
// as it must while hub and dispatcher end, and stops it. Runs the compiled code, for it is a process of its own.
import { Redis } from 'ioredis'
import { startRedis } from '../../dist/redis/start-redis.js'

const [dataDir = '', programDir = '', configFile = ''] = process.argv.slice(2)
const redis = await startRedis({
  dataDir,
  programDir,
  configFile,
  onProgress: (line) => process.stderr.write(`${line}\n`),
})

const stop = async () => {
  const client = new Redis(redis.url)
  process.stdout.write(`${await client.ping()}\n`)
  client.disconnect()
  await redis.stop()
}

process.once('SIGINT', () => void stop())
process.stdout.write(`${redis.url}\n`)
