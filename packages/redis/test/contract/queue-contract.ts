import { afterEach, describe, expect, test } from '@jest/globals'
import { newCall, recordQueued } from '../call/sample-call.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { findKeys, openTestStore, type TestStore } from '../place/test-store.js'
import { openQueues, startWorker } from '../queue/test-worker.js'

/** The queues of the agents and the workers that empty them. */
export function describeQueues(place: RedisPlace): void {
  afterEach(closeAll)

  describe('the queue of an agent', () => {
    test('holds one job of a call that was added twice, and runs it once', async () => {
      const store = await openTestStore(place)
      const queues = openQueues(store)
      const [call, other] = [newCall(), newCall()]
      await Promise.all([queues.add(call), queues.add(call), queues.add(other)])
      await queues.add(call)
      expect([await queues.has(call), await queues.has(newCall())]).toEqual([true, false])
      const worker = startWorker(store)
      await worker.until(({ ran }) => ran.length === 2)
      await worker.close()
      expect(worker.ran.toSorted()).toEqual([call.callId, other.callId].toSorted())
      expect(await queues.has(call)).toBe(false)
    })

    test('does not run a call that was taken out before', async () => {
      const store = await openTestStore(place)
      const queues = openQueues(store)
      const [removed, kept] = [newCall(), newCall()]
      await queues.add(removed)
      await queues.add(kept)
      await queues.remove(removed)
      await queues.remove(newCall())
      expect(await queues.has(removed)).toBe(false)
      const worker = startWorker(store)
      await worker.until(({ ran }) => ran.length === 1)
      await worker.close()
      expect(worker.ran).toEqual([kept.callId])
    })

    test('belongs to its agent alone', async () => {
      const store = await openTestStore(place)
      const queues = openQueues(store)
      const [boot, insight] = [newCall({ agent: 'SyncBoot' }), newCall({ agent: 'SyncInsight' })]
      await Promise.all([queues.add(boot), queues.add(insight)])
      const worker = startWorker(store, { agent: 'SyncInsight' })
      await worker.until(({ ran }) => ran.length === 1)
      expect(worker.ran).toEqual([insight.callId])
      expect(await queues.has(boot)).toBe(true)
    })

    test('holds nothing of the call but its id: no argument, no key', async () => {
      const store = await openTestStore(place)
      const queues = openQueues(store)
      const idempotency = { keyDigest: 'secret-key', payloadDigest: 'secret-payload' }
      const call = await recordQueued(store, { arguments: { password: 'secret-value' }, idempotency })
      await queues.add(call)
      const texts = await dumpQueues(store)
      expect(texts.join('\n')).toContain(call.callId)
      expect(texts.join('\n')).not.toMatch(/secret|password|trace-1|alice/)
    })

    test('keeps nothing of calls that ran', async () => {
      const store = await openTestStore(place)
      const queues = openQueues(store)
      const calls = Array.from({ length: 20 }, () => newCall())
      await Promise.all(calls.map((call) => queues.add(call)))
      const worker = startWorker(store, { concurrency: 5 })
      await worker.until(({ ran }) => ran.length === 20)
      await worker.close()
      expect(worker.ran.toSorted()).toEqual(calls.map(({ callId }) => callId).toSorted())
      const texts = (await dumpQueues(store)).join('\n')
      // The stream of BullMQ's own events names the jobs; it is bounded, and nobody but BullMQ reads it.
      for (const { callId } of calls) expect(texts.replaceAll(/^.*:events .*$/gm, '')).not.toContain(callId)
    })
  })

  describe('the worker of a queue', () => {
    test('runs as many calls at a time as it may', async () => {
      const store = await openTestStore(place)
      const queues = openQueues(store)
      await Promise.all(Array.from({ length: 8 }, () => queues.add(newCall())))
      let [running, most] = [0, 0]
      const worker = startWorker(store, {
        concurrency: 3,
        async run() {
          most = Math.max(most, ++running)
          await queues.has(newCall())
          running--
          return 'done'
        },
      })
      await worker.until(({ ran }) => ran.length === 8)
      await worker.close()
      expect(most).toBe(3)
    })

    test('hands a call back when it stops, and another takes it up', async () => {
      const store = await openTestStore(place)
      const queues = openQueues(store)
      const call = newCall()
      await queues.add(call)
      let stop = () => {}
      const stopping = new Promise<void>((resolve) => {
        stop = resolve
      })
      const first = startWorker(store, {
        async run() {
          await stopping
          return 'handed-back'
        },
      })
      await first.until(({ ran }) => ran.length === 1)
      const closing = first.close()
      stop()
      const startedAt = Date.now()
      await closing
      expect(Date.now() - startedAt).toBeLessThan(2000)
      expect(await queues.has(call)).toBe(true)
      const second = startWorker(store)
      await second.until(({ ran }) => ran.length === 1)
      expect(second.ran).toEqual([call.callId])
      expect([first.failures, second.failures]).toEqual([[], []])
    })

    test('tells of a run that could not be, and takes the job out so that a sweep can bring it back', async () => {
      const store = await openTestStore(place)
      const queues = openQueues(store)
      const call = newCall()
      await queues.add(call)
      const failure = new Error('the store is away')
      let runs = 0
      const worker = startWorker(store, {
        run() {
          runs++
          return runs === 1 ? Promise.reject(failure) : Promise.resolve('done' as const)
        },
      })
      await worker.until(({ failures }) => failures.length > 0)
      expect(worker.failures).toEqual([failure])
      expect(await queues.has(call)).toBe(false)
      await queues.add(call)
      await worker.until(() => runs === 2)
    })

    test('closes at once when it has nothing to do', async () => {
      const store = await openTestStore(place)
      const worker = startWorker(store)
      await worker.close()
      const startedAt = Date.now()
      await startWorker(store).close()
      expect(Date.now() - startedAt).toBeLessThan(1000)
    })
  })
}

/** Everything that stands under the prefix of the queues, key by key. */
async function dumpQueues({ link }: TestStore): Promise<string[]> {
  const keys = await findKeys(link, `${link.keys.queuePrefix}*`)
  expect(keys.length).toBeGreaterThan(0)
  const dumps = await Promise.all(
    keys.map(async (key) => {
      const { commands } = link
      const type = await commands.type(key)
      const read: Record<string, () => Promise<unknown>> = {
        hash: () => commands.hgetall(key),
        list: () => commands.lrange(key, 0, -1),
        zset: () => commands.zrange(key, '0', '-1'),
        set: () => commands.smembers(key),
        string: () => commands.get(key),
        stream: () => commands.xrange(key, '-', '+'),
      }
      return `${key} ${JSON.stringify(await read[type]?.())}`
    }),
  )
  return dumps
}
