// The bare queue with HTTP in front: each request adds a job, and is answered with what came of it. Reads nothing, records nothing.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { listeningUrl } from '../../processes/listening-url.mjs'
import { BARE_QUEUE, REPLY_CHANNEL } from './bare-queue.mjs'

const [redisUrl = ''] = process.argv.slice(2)
const queue = new Queue(BARE_QUEUE, { connection: new Redis(redisUrl), defaultJobOptions: { removeOnComplete: true } })
const replies = new Redis(redisUrl)
/** @type {Map<string, import('node:http').ServerResponse>} */
const waiting = new Map()
replies.on('message', (_channel, id) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'echo' }] } })
  waiting.get(id)?.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body)
  waiting.delete(id)
})
await replies.subscribe(REPLY_CHANNEL)
let count = 0

const server = createServer((req, res) => {
  req.resume().once('end', () => {
    const jobId = `job-${count++}`
    waiting.set(jobId, res)
    void queue.add('call', { callId: jobId }, { jobId })
  })
})
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.({ ready: listeningUrl(server) })
