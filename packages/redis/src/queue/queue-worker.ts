import { type Job, WaitingError, Worker } from 'bullmq'
import { queueName } from '../connection/keys.js'
import type { RedisLink } from '../connection/redis-link.js'
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
    connection.disconnect(true)
    void worker.backend.blockingClient?.then((client) => client.disconnect(true), options.onFailure)
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
        const settled = Promise.allSettled([closed, endReconnecting(worker)])
        const [end] = await withinMs(CLOSE_TIMEOUT_MS, settled)
        if (end.status === 'rejected') options.onFailure(end.reason)
      } catch (thrown) {
        if (!(thrown instanceof TimeLimitError)) throw thrown
        options.onFailure(new Error(`the queue of ${options.agent} was left without a goodbye`, { cause: thrown }))
      } finally {
        connection.disconnect()
        // Whichever way it went: a connection that came back meanwhile would stay, and with it all that waits for its end.
        worker.backend.blockingClient?.then(
          (client) => client.disconnect(),
          () => undefined, // There never was one.
        )
      }
    },
  }
}

/**
 * A closing worker calls the next try of its blocking connection off and then waits for its end, which so never comes while
 * Redis is away. One more try ends it, by itself where it fails; rejects then, and when there never was a connection.
 */
async function endReconnecting(worker: Worker): Promise<void> {
  const client = await worker.backend.blockingClient
  if (client?.status !== 'reconnecting') return
  await client.connect()
  client.disconnect()
}
