// The processing half of the bare queue: does nothing, and tells so over pub/sub.
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { BARE_QUEUE, REPLY_CHANNEL } from './bare-queue.mjs'

const [redisUrl = '', concurrency = '1'] = process.argv.slice(2)
const replies = new Redis(redisUrl)
const worker = new Worker(
  BARE_QUEUE,
  async ({ id = '' }) => {
    await replies.publish(REPLY_CHANNEL, id)
  },
  {
    connection: new Redis(redisUrl, { maxRetriesPerRequest: null }),
    concurrency: Number(concurrency),
    removeOnComplete: { count: 0 },
  },
)
await worker.waitUntilReady()
process.send?.({ ready: true })
