import type { QueuedCall } from '@synchub/core'
import type { Queue } from 'bullmq'
import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'

/**
 * The places of calls in their queues: callers take turns, one call of each in a round (docs/decisions). A caller is a subject of a
 * tenant; its calls that have run before, and go on now, take turns of their own, so that they do not wait for what it queued since.
 */
export interface QueuePlaces {
  /** The priority of the job of a call that is about to be queued. */
  take(call: QueuedCall): Promise<number>
  /** A call that waited has left its queue without a run: what its caller queues next may have its place. */
  leave(call: QueuedCall): Promise<void>
  /** Lowers priorities that come near the most that BullMQ takes. */
  renumber(agent: string, queue: Queue): Promise<void>
}

/** How long the places of a caller that queues nothing are kept, in ms; one that waits for longer takes another turn too early. */
const IDLE_MS = 3_600_000
/** As the steps have it: a priority above needs lowering. */
const HALF_OF_PRIORITIES = 2 ** 20
/** What one priority counts in the scores of BullMQ's sorted set, beside which stands the order of arrival. */
const ONE_PRIORITY = 2 ** 32
const RENUMBERED_AT_ONCE = 100

/** Places over Redis, in the slot of the queues: the step that gives one looks at what waits. */
export function createQueuePlaces({ keys, run, ask }: RedisLink): QueuePlaces {
  const laneOf = ({ agent, trace, attempt = 0 }: QueuedCall) =>
    keys.queueLane(agent, trace, attempt > 0 ? 'again' : 'first')
  const roundsOf = (agent: string) => [keys.waitingJobs(agent), keys.queueRounds(agent)]
  return {
    async take(call) {
      const priority = await run(SCRIPTS.takePlace, [...roundsOf(call.agent), laneOf(call)], [call.callId, IDLE_MS])
      return Number(priority)
    },
    async leave(call) {
      await ask((client) => client.zrem(laneOf(call), call.callId))
    },
    async renumber(agent, queue) {
      const shift = Number(await run(SCRIPTS.shiftRounds, roundsOf(agent), ['0']))
      if (shift === 0) return
      for (;;) {
        // The first to be served come first, so that those that are lowered stay in front of those that are not.
        const callIds = await ask((client) =>
          client.zrangebyscore(
            keys.waitingJobs(agent),
            (HALF_OF_PRIORITIES + 1) * ONE_PRIORITY,
            '+inf',
            'LIMIT',
            0,
            RENUMBERED_AT_ONCE,
          ),
        )
        let lowered = 0
        for (const callId of callIds) if (await lower(callId, shift, queue)) lowered++
        if (lowered === 0) break
      }
      await run(SCRIPTS.shiftRounds, roundsOf(agent), ['1'])
    },
  }
}

/** False for one that was begun and has ended meanwhile. */
async function lower(callId: string, shift: number, queue: Queue): Promise<boolean> {
  const job = await queue.getJob(callId)
  if (job === undefined) return false
  await job.changePriority({ priority: Math.max(1, job.priority - shift) })
  return true
}
