// The calling half of the bare queue: adds a job, waits until it is told that it is done, and adds the next.
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { answerQuestions } from '../load/answering.mjs'
import { quantile } from '../load/quantile.mjs'
import { BARE_QUEUE, REPLY_CHANNEL } from './bare-queue.mjs'

const [redisUrl = '', inFlight = '1'] = process.argv.slice(2)
const queue = new Queue(BARE_QUEUE, { connection: new Redis(redisUrl), defaultJobOptions: { removeOnComplete: true } })
const replies = new Redis(redisUrl)
/** @type {Map<string, () => void>} */
const waiting = new Map()
replies.on('message', (_channel, id) => waiting.get(id)?.())
await replies.subscribe(REPLY_CHANNEL)
let count = 0

/** One job from its adding to its end. */
async function runJob() {
  const jobId = `job-${count++}`
  const done = new Promise((resolve) => {
    waiting.set(jobId, () => resolve(undefined))
  })
  await queue.add('call', { callId: jobId }, { jobId })
  await done
  waiting.delete(jobId)
}

answerQuestions(async (/** @type {{ durationMs: number }} */ { durationMs }) => {
  /** @type {number[]} */
  const latencies = []
  const startedAt = performance.now()
  const loop = async () => {
    while (performance.now() < startedAt + durationMs) {
      const addedAt = performance.now()
      await runJob()
      latencies.push(performance.now() - addedAt)
    }
  }
  await Promise.all(Array.from({ length: Number(inFlight) }, loop))
  return {
    perSecond: (1000 * latencies.length) / (performance.now() - startedAt),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    answers: latencies.length,
  }
})
process.send?.({ ready: true })
