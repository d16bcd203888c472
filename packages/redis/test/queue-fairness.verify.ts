import { afterEach, describe, expect, test } from '@jest/globals'
import { closeAll } from './place/cleanup.js'
import { SHARED_REDIS } from './place/redis-place.js'
import { openTestStore } from './place/test-store.js'
import { callsOf, nameOwners, queueAll } from './queue/callers.js'
import { openQueues, startWorker } from './queue/test-worker.js'

afterEach(closeAll)

describe('a caller that has queued 10,000 calls', () => {
  test('lets single calls of others begin among the next few, and finishes while others keep coming', async () => {
    const store = await openTestStore(SHARED_REDIS)
    const other = await openTestStore(SHARED_REDIS, { prefix: store.prefix })
    const [queues, others] = [openQueues(store), openQueues(other)]
    const many = callsOf('alice', 10_000)
    for (let at = 0; at < many.length; at += 1000) await queueAll(queues, many.slice(at, at + 1000))
    const ownerOf = nameOwners(many)
    const waits: number[] = []
    let ran = 0
    const begun = new Map<string, () => void>()
    const total = () => workers.reduce((sum, worker) => sum + worker.ran.length, 0)
    // Two dispatchers. After each 200 calls somebody new comes with one, of another tenant each time.
    const run = async () => {
      ran++
      if (ran % 200 === 0 && waits.length < 40) {
        const [single] = callsOf(`guest-${waits.length}`, 1, `tenant-${waits.length}`)
        if (single === undefined) throw new Error('there is one')
        const at = waits.push(Number.POSITIVE_INFINITY) - 1
        let begunAfter = Number.POSITIVE_INFINITY
        // What begins while the call is on its way to its queue does not count.
        let queuedAfter = 0
        begun.set(single.callId, () => {
          begunAfter = total()
          waits[at] = begunAfter - queuedAfter
        })
        await others.add(single)
        queuedAfter = total()
        waits[at] = begunAfter - queuedAfter
      }
      return 'done' as const
    }
    // One call at a time each: of many under way none could tell in which order Redis has handed them out.
    const start = (on: typeof store) =>
      startWorker(on, {
        run: async (callId) => {
          begun.get(callId)?.()
          return run()
        },
      })
    const workers = [start(store), start(other)]
    await Promise.race(workers.map((worker) => worker.until(() => total() >= 10_040)))
    const all = workers.flatMap((worker) => worker.ran)
    expect(all.filter((callId) => ownerOf(callId) === 'alice')).toHaveLength(10_000)
    expect(new Set(all).size).toBe(all.length)
    // Each worker may have been handed one call already and be handed one more; the rounds add two.
    expect(waits).toHaveLength(40)
    expect(Math.max(...waits)).toBeLessThanOrEqual(6)
  }, 240_000)
})
