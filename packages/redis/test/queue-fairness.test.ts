import { afterEach, describe, expect, test } from '@jest/globals'
import { closeAll } from './place/cleanup.js'
import { SHARED_REDIS } from './place/redis-place.js'
import { findKeys, openTestStore } from './place/test-store.js'
import { callsOf, nameOwners, queueAll } from './queue/callers.js'
import { openQueues, startWorker } from './queue/test-worker.js'

afterEach(closeAll)

/** Two hubs that share one Redis. */
async function openTwoHubs() {
  const store = await openTestStore(SHARED_REDIS)
  const other = await openTestStore(SHARED_REDIS, { prefix: store.prefix })
  return { store, queues: openQueues(store), others: openQueues(other) }
}

describe('callers that wait for the same agent', () => {
  test('a single call is not starved by hundreds that were queued before, of its tenant or another', async () => {
    const { store, queues, others } = await openTwoHubs()
    const many = callsOf('alice', 400)
    await queueAll(queues, many)
    const singles = [...callsOf('bob', 1), ...callsOf('carol', 1, 'globex')]
    await queueAll(others, singles)
    const worker = startWorker(store)
    await worker.until(({ ran }) => ran.length === 402)
    const owners = worker.ran.map(nameOwners([...many, ...singles]))
    // One round is under way and one stands before each of them: at most two calls of every other caller.
    expect(owners.indexOf('bob')).toBeLessThanOrEqual(4)
    expect(owners.indexOf('carol')).toBeLessThanOrEqual(4)
    // Nothing of the many is lost, and each caller's calls begin in its own order.
    expect(worker.ran.filter((callId) => many.some((call) => call.callId === callId))).toEqual(
      many.map(({ callId }) => callId),
    )
  }, 20_000)

  test('share the agent evenly while all of them wait, whoever came first', async () => {
    const { store, queues, others } = await openTwoHubs()
    const calls = [callsOf('alice', 90), callsOf('bob', 60), callsOf('carol', 30, 'globex')]
    for (const [at, own] of calls.entries()) await queueAll(at === 1 ? others : queues, own)
    const worker = startWorker(store, { concurrency: 3 })
    await worker.until(({ ran }) => ran.length === 180)
    const owners = worker.ran.map(nameOwners(calls.flat()))
    for (let end = 3; end <= 90; end++) {
      const counts = ['alice', 'bob', 'carol'].map(
        (owner) => owners.slice(0, end).filter((one) => one === owner).length,
      )
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2)
    }
  }, 20_000)

  test('a caller with much to do gets on while others keep coming', async () => {
    const { store, queues, others } = await openTwoHubs()
    const many = callsOf('alice', 60)
    await queueAll(queues, many)
    const first = callsOf('bob', 1)
    await queueAll(others, first)
    const coming = [...first]
    const worker = startWorker(store, {
      // As soon as a call of his has begun, Bob queues two more: his own grow without end.
      async run(callId) {
        if (!coming.some((call) => call.callId === callId)) return 'done'
        const more = callsOf('bob', 2)
        coming.push(...more)
        await queueAll(others, more)
        return 'done'
      },
    })
    const isOf = nameOwners(many)
    await worker.until(({ ran }) => ran.filter((callId) => isOf(callId) === 'alice').length === 60)
    expect(worker.ran.length).toBeLessThanOrEqual(123)
  }, 20_000)

  test('a caller that cancels all that it has queued has the next turn again', async () => {
    const { store, queues } = await openTwoHubs()
    const bobs = callsOf('bob', 20)
    await queueAll(queues, bobs)
    const mistaken = callsOf('alice', 20)
    await queueAll(queues, mistaken)
    await Promise.all(mistaken.map((call) => queues.remove(call)))
    const right = callsOf('alice', 1)
    await queueAll(queues, right)
    const worker = startWorker(store)
    await worker.until(({ ran }) => ran.length === 21)
    expect(worker.ran.indexOf(right[0]?.callId ?? '')).toBeLessThanOrEqual(2)
  })

  test('a call that goes on after an answer does not wait for what its caller has queued meanwhile', async () => {
    const { store, queues } = await openTwoHubs()
    const many = callsOf('alice', 40)
    await queueAll(queues, many)
    const [resumed] = callsOf('alice', 1)
    if (resumed === undefined) throw new Error('there is no call')
    await queues.add({ ...resumed, attempt: 1 })
    const worker = startWorker(store)
    await worker.until(({ ran }) => ran.length === 41)
    expect(worker.ran.indexOf(resumed.callId)).toBeLessThanOrEqual(2)
  })

  test('a call that is handed back goes on first', async () => {
    const { store, queues } = await openTwoHubs()
    const [held, ...rest] = callsOf('alice', 6)
    if (held === undefined) throw new Error('there is no call')
    await queues.add(held)
    let handBack = () => {}
    const stopping = new Promise<void>((resolve) => {
      handBack = resolve
    })
    const first = startWorker(store, { run: () => stopping.then(() => 'handed-back' as const) })
    await first.until(({ ran }) => ran.length === 1)
    await queueAll(queues, [...rest, ...callsOf('bob', 3)])
    const closing = first.close()
    handBack()
    await closing
    const second = startWorker(store)
    await second.until(({ ran }) => ran.length === 9)
    expect(second.ran[0]).toBe(held.callId)
  })
})

describe('the rounds of a queue', () => {
  test('keep their order when priorities come near the most that BullMQ takes', async () => {
    const { store, queues, others } = await openTwoHubs()
    const { keys, commands } = store.link
    const calls = [...callsOf('alice', 30), ...callsOf('bob', 30)]
    // As after a million rounds in which somebody always waited.
    await commands.hset(keys.queueRounds('SyncBoot'), {
      base: 0,
      last: 2 ** 20 + 5,
      mark: 2 ** 20 + 5,
      later: 2 ** 20 + 5,
    })
    await commands.hset(keys.queueRounds('SyncBoot'), { lookedAtMs: Date.now() + 60_000 })
    await commands.zadd(
      keys.queueLane('SyncBoot', { tenant: 'acme', owner: 'zoe' }, 'first'),
      String(2 ** 20 + 5),
      'earlier',
    )
    await queueAll(queues, callsOf('zoe', 1))
    await queueAll(queues, calls)
    await Promise.all([queues.renumber('SyncBoot'), others.renumber('SyncBoot')])
    const scores = await commands.zrange(keys.waitingJobs('SyncBoot'), '0', '-1', 'WITHSCORES')
    const priorities = scores.filter((_, at) => at % 2 === 1).map((score) => Math.floor(Number(score) / 2 ** 32))
    expect(Math.max(...priorities)).toBeLessThan(100)
    const worker = startWorker(store)
    await worker.until(({ ran }) => ran.length === 61)
    const owners = worker.ran.map(nameOwners(calls)).filter((owner) => owner !== 'nobody')
    for (let end = 2; end <= 60; end += 2) {
      expect(Math.abs(owners.slice(0, end).filter((owner) => owner === 'bob').length - end / 2)).toBeLessThanOrEqual(1)
    }
  })

  test('are a bounded state: callers that are gone leave nothing that stays', async () => {
    const { store, queues } = await openTwoHubs()
    const calls = Array.from({ length: 20 }, (_, at) => callsOf(`owner-${at}`, 2)).flat()
    await queueAll(queues, calls)
    const worker = startWorker(store, { concurrency: 5 })
    await worker.until(({ ran }) => ran.length === 40)
    const lanes = await findKeys(store.link, `${store.prefix}:lane:*`)
    const ttls = await Promise.all(lanes.map((lane) => store.link.commands.pttl(lane)))
    expect(ttls.every((ttl) => ttl > 0 && ttl <= 3_600_000)).toBe(true)
    // The next call of a caller takes its past places away.
    await queueAll(queues, callsOf('owner-1', 1))
    const lane = store.link.keys.queueLane('SyncBoot', { tenant: 'acme', owner: 'owner-1' }, 'first')
    expect(await store.link.commands.zcard(lane)).toBeLessThanOrEqual(3)
  })
})
