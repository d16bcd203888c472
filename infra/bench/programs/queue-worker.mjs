// The processing half of the bare queue: does nothing, or asks a tool over HTTP where it is given one, and tells so over pub/sub.
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { request } from 'undici'
import { BARE_QUEUE, REPLY_CHANNEL } from './bare-queue.mjs'

const [redisUrl = '', concurrency = '1', toolUrl] = process.argv.slice(2)
const replies = new Redis(redisUrl)
const worker = new Worker(
  BARE_QUEUE,
  async ({ id = '' }) => {
    if (toolUrl !== undefined) await askTool(toolUrl)
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

/** @param {string} url */
async function askTool(url) {
  const { body } = await request(url, { method: 'POST', body: JSON.stringify({ text: 'hello' }) })
  await body.json()
}
