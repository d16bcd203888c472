import type { CallQueue } from '@synchub/core'
import type { QueueView } from '@synchub/protocol'
import { Queue } from 'bullmq'
import { queueName } from '../connection/keys.js'
import type { RedisLink } from '../connection/redis-link.js'
import { toStoreFailure } from '../connection/store-failure.js'
import { createQueuePlaces } from './queue-places.js'
import { withinMs } from './time-limit.js'

/** The queues of all agents. */
export interface AgentQueues extends CallQueue {
  /** How much stands in the queues of these agents. @throws HubError HUB_UNAVAILABLE */
  depths(agents: readonly string[]): Promise<readonly QueueView[]>
  /** The queues of these agents as BullMQ has them, for a board that shows them. */
  shown(agents: readonly string[]): readonly Queue<CallJob>[]
  /** Keeps the numbers by which callers take turns within what BullMQ takes; to be called now and then. */
  renumber(agent: string): Promise<void>
  close(): Promise<void>
}

/** What a job carries: nothing of the call itself (arguments live only in its record). */
export interface CallJob {
  readonly callId: string
}

/** Name of the job of every call. */
const CALL_JOB = 'call'

/** Longest wait for an answer, in ms. */
const ANSWER_TIMEOUT_MS = 1500

// BullMQ needs a connection that waits for its first contact; an outage is bounded by the time-out instead.
const QUEUE_CONNECTION = {
  enableOfflineQueue: true,
  maxRetriesPerRequest: 1,
  commandTimeout: ANSWER_TIMEOUT_MS,
  lazyConnect: false,
}

/** BullMQ queues, one for each agent, with `jobId` = callId: adding a call twice makes one job. */
export function openAgentQueues(link: RedisLink): AgentQueues {
  const connection = link.open(QUEUE_CONNECTION)
  connection.on('error', () => undefined)
  const stopLeaving = link.onDemotion(() => connection.disconnect(true))
  const places = createQueuePlaces(link)
  const queues = new Map<string, Queue<CallJob>>()
  const queueOf = (agent: string) => {
    const known = queues.get(agent)
    if (known !== undefined) return known
    const queue = new Queue<CallJob>(queueName(agent), {
      connection,
      prefix: link.keys.queuePrefix,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
    })
    queue.on('error', () => undefined)
    // A queue that could not be set up stays so for ever; the next call sets it up anew.
    queue.waitUntilReady().catch(() => queues.delete(agent))
    queues.set(agent, queue)
    return queue
  }
  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      // A queue that is new while Redis is away waits for it without a limit of its own.
      return await withinMs(ANSWER_TIMEOUT_MS, question())
    } catch (thrown) {
      throw toStoreFailure(thrown)
    }
  }
  return {
    async add(call) {
      const { callId, agent } = call
      const priority = await places.take(call)
      await ask(async () => void (await queueOf(agent).add(CALL_JOB, { callId }, { jobId: callId, priority })))
    },
    async remove(call) {
      await ask(async () => void (await queueOf(call.agent).remove(call.callId)))
      await places.leave(call)
    },
    renumber: (agent) => places.renumber(agent, queueOf(agent)),
    has: ({ callId, agent }) => ask(async () => (await queueOf(agent).getJob(callId)) !== undefined),
    depths: (agents) => ask(() => Promise.all(agents.map(async (agent) => depthOf(agent, queueOf(agent))))),
    shown: (agents) => agents.map(queueOf),
    async close() {
      stopLeaving()
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      connection.disconnect()
    },
  }
}

async function depthOf(agent: string, queue: Queue<CallJob>): Promise<QueueView> {
  const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed')
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts
  // First come those that have had a turn already, then all others by their turns.
  return { agent, waiting: waiting + prioritized, active, delayed }
}
