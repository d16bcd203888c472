import { setTimeout as delay } from 'node:timers/promises'
import { type Job, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { RedisLink } from '../connection/redis-link.js'
import { type CallJob, queueName } from './redis-call-queue.js'

/** What a run of a queued call may end in. */
export type JobEnd = 'done' | 'handed-back'

/** How a worker takes calls. */
export interface QueueWorkerOptions {
  readonly agent: string
  /** Calls that it runs at the same time. */
  readonly concurrency: number
  /** Runs a call. A throw means that it could not be run now; a sweep brings it back. */
  run(callId: string): Promise<JobEnd>
  onFailure(thrown: unknown): void
}

/** Takes the calls of one agent out of its queue. */
export interface QueueWorker {
  /** Takes nothing new and waits for the runs; they must have been told to end. Bounded, should Redis be away. */
  close(): Promise<void>
}

// A killed dispatcher's calls go on elsewhere after the lock and one check: within 10 s. Agents are other processes, so
// nothing here blocks the event loop for as long as a lock lasts.
const LOCK_MS = 5000
const STALLED_CHECK_MS = 2000
const CLOSE_PATIENCE_MS = 5000
// How often a call may be picked up again is decided by its own record, not by BullMQ.
const MAX_STALLED = 1000

/** Starts a BullMQ worker for an agent's queue. */
export function startQueueWorker(link: RedisLink, options: QueueWorkerOptions): QueueWorker {
  const connection = link.open({ enableOfflineQueue: true, maxRetriesPerRequest: null, lazyConnect: false })
  connection.on('error', () => undefined)
  const processor = async (job: Job<CallJob>, lock?: string) => {
    if ((await options.run(job.data.callId)) === 'done') return
    await job.moveToWait(lock)
    throw new WaitingError()
  }
  const worker = new Worker<CallJob>(queueName(options.agent), processor, {
    connection: connection as Redis,
    prefix: link.keys.queuePrefix,
    concurrency: options.concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
  worker.on('error', options.onFailure)
  worker.on('failed', (_job, thrown) => options.onFailure(thrown))
  return {
    async close() {
      const closed = worker.close().then(() => true)
      // A job cannot be given back while Redis is away, and BullMQ would wait for that without end: its lock runs out instead.
      if (!(await Promise.race([closed, delay(CLOSE_PATIENCE_MS, false, { ref: false })]))) {
        options.onFailure(new Error(`the queue of ${options.agent} was left without a goodbye`))
      }
      connection.disconnect()
    },
  }
}
