import { type Job, WaitingError, Worker } from 'bullmq'
import type { Cluster, Redis } from 'ioredis'
import { queueName } from '../connection/keys.js'
import type { RedisClient, RedisLink } from '../connection/redis-link.js'
import { failUnansweredAtEnd } from '../connection/unanswered-commands.js'
import type { CallJob } from './redis-call-queue.js'
import { TimeLimitError, withinMs } from './time-limit.js'

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
// How long it looks for no call after Redis refused one; 15 s at BullMQ's default, in which nothing would be taken.
const RETRY_MS = 1000
// How often a call may be picked up again is decided by its own record, not by BullMQ.
const MAX_STALLED = 1000
// A job cannot be given back while Redis is away, and BullMQ would wait for that without end: its lock runs out instead.
const CLOSE_TIMEOUT_MS = 3000

/** Starts a BullMQ worker for an agent's queue. */
export function startQueueWorker(link: RedisLink, options: QueueWorkerOptions): QueueWorker {
  let closing = false
  const mayReconnect = () => !closing
  const connection = link.open({
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    lazyConnect: false,
    mayReconnect,
  })
  connection.on('error', () => undefined)
  failUnansweredAtEnd(connection)
  const blocking = collectDuplicates(connection)
  const runs = new Set<Promise<JobEnd>>()
  const processor = async (job: Job<CallJob>, lock?: string) => {
    const run = options.run(job.data.callId)
    runs.add(run)
    const end = await run.finally(() => runs.delete(run))
    if (end === 'done') return
    // It had its turn: it goes on before all that only waits.
    await job.changePriority({ priority: 0 })
    await job.moveToWait(lock)
    throw new WaitingError()
  }
  const worker = new Worker<CallJob>(queueName(options.agent), processor, {
    connection,
    prefix: link.keys.queuePrefix,
    concurrency: options.concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED,
    runRetryDelay: RETRY_MS,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
  const stopLeaving = link.onDemotion(() => {
    if (closing) return
    for (const client of [connection, ...blocking]) client.disconnect(true)
  })
  worker.on('error', (thrown) => options.onFailure(thrown))
  worker.on('failed', (_job, thrown) => options.onFailure(thrown))
  return {
    async close() {
      closing = true
      stopLeaving()
      const closed = worker.close()
      await Promise.allSettled(runs)
      try {
        const settled = Promise.allSettled([closed, ...blocking.map(endReconnecting)])
        const [end] = await withinMs(CLOSE_TIMEOUT_MS, settled)
        if (end.status === 'rejected') options.onFailure(end.reason)
      } catch (thrown) {
        if (!(thrown instanceof TimeLimitError)) throw thrown
        options.onFailure(new Error(`the queue of ${options.agent} was left without a goodbye`, { cause: thrown }))
      } finally {
        // Whichever way it went: a connection that came back meanwhile would stay, and with it all that waits for its end.
        for (const client of [connection, ...blocking]) endNow(client)
      }
    },
  }
}

/**
 * The connections that are made after the model of this one from now on: a worker makes one to wait for calls, and tells of it only
 * once that is ready, which it never is while Redis hangs.
 */
function collectDuplicates(connection: RedisClient): readonly RedisClient[] {
  const made: RedisClient[] = []
  const duplicate = connection.duplicate.bind(connection) as (...options: unknown[]) => RedisClient
  connection.duplicate = (...options: unknown[]) => {
    const client = duplicate(...options)
    failUnansweredAtEnd(client)
    made.push(client)
    return client as Redis & Cluster
  }
  return made
}

/**
 * Ends a connection whatever it does: one that waits for its next try would only call that off, and whoever waits for an answer
 * of it, such as the worker, would wait for ever.
 */
function endNow(client: RedisClient): void {
  // Its failure is the end.
  if (client.status === 'reconnecting') client.connect().catch(() => undefined)
  client.disconnect()
}

/**
 * A closing worker calls the next try of its blocking connection off and then waits for its end, which so never comes while
 * Redis is away. One more try ends it, by itself where it fails; rejects then.
 */
async function endReconnecting(client: RedisClient): Promise<void> {
  if (client.status !== 'reconnecting') return
  await client.connect()
  client.disconnect()
}
