import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createCallIndex, createCatalogueStore, createTraceList, openRedisLink, watchCatalogue } from '../src/index.js'
import { complete, newCall, progress, readEvents, recordEnded, recordRunning, TRACE } from './call/sample-call.js'
import { ManualClock } from './clock/manual-clock.js'
import { systemClock } from './clock/system-clock.js'
import { Collector } from './feed/collector.js'
import { openTestFeeds } from './feed/test-feeds.js'
import { askAll, COMMAND_TIMEOUT_MS, everyAnswer, listOperations } from './outage/operations.js'
import { atEnd, closeAll } from './place/cleanup.js'
import { findFreePort } from './place/redis-place.js'
import { type RedisServer, startTestServer } from './place/redis-server.js'
import { openTestStore, type TestStore } from './place/test-store.js'
import { openQueues, startWorker } from './queue/test-worker.js'

let server: RedisServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(closeAll)

const open = () => openTestStore({ url: () => server.url }, { commandTimeoutMs: COMMAND_TIMEOUT_MS })

describe('a store whose Redis', () => {
  test('was killed says so at once, and goes on by itself once it is back', async () => {
    const store = await open()
    const feeds = openTestFeeds(store, { checkMs: 3_600_000 })
    const call = await recordRunning(store)
    const operations = listOperations(store, feeds, call)
    const { 'add to a queue that is new in the outage': _later, ...before } = operations
    expect(await askAll(before)).toEqual(everyAnswer(before, 'answered'))
    await server.kill()
    await untilSo(() => store.link.commands.status !== 'ready')
    expect(await askAll(operations)).toEqual(everyAnswer(operations, 'HUB_UNAVAILABLE'))
    expect(await askAll(operations)).toEqual(everyAnswer(operations, 'HUB_UNAVAILABLE'))
    await server.start()
    await untilBack(store)
    expect(await askAll(operations)).toEqual(everyAnswer(operations, 'answered'))
    await store.log.change({ call, events: [complete()] })
    expect((await readEvents(store)).at(-1)?.event).toBe('complete')
  })

  test('gave way to a proxy that refuses in words of its own is away, and no fault of ours', async () => {
    const store = await open()
    await server.kill()
    const reply = '-ERR no such upstream\r\n'
    const proxy = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (commands) => socket.write(reply.repeat(String(commands).match(/^\*/gm)?.length ?? 0)))
    })
    atEnd(() => void proxy.close())
    await once(proxy.listen(server.port, '127.0.0.1'), 'listening')
    let told: unknown
    store.link.commands.on('error', ({ message }: Error) => {
      told = message
    })
    await untilSo(() => told === 'ERR no such upstream')
    const away = { code: 'HUB_UNAVAILABLE', reason: 'the store refuses: ERR no such upstream' }
    await expect(store.log.find(newCall().callId)).rejects.toMatchObject(away)
    await expect(store.log.record(newCall(), [])).rejects.toMatchObject(away)
  })

  test('does not answer any more says so in time, and goes on by itself once it does', async () => {
    const store = await open()
    const feeds = openTestFeeds(store, { checkMs: 3_600_000 })
    const call = await recordRunning(store)
    const operations = listOperations(store, feeds, call)
    expect(await askAll(operations)).toEqual(everyAnswer(operations, 'answered'))
    server.freeze()
    atEnd(() => server.thaw())
    expect(await askAll(operations)).toEqual(everyAnswer(operations, 'HUB_UNAVAILABLE'))
    server.thaw()
    await untilBack(store)
    expect(await askAll(operations)).toEqual(everyAnswer(operations, 'answered'))
  })

  test('is full refuses progress with the reason, records ends, and still answers readers', async () => {
    const store = await open()
    const call = await recordRunning(store)
    await store.link.commands.config('SET', 'maxmemory', '1')
    const writing = store.log.change({ call, events: [progress(1)] })
    await expect(writing).rejects.toMatchObject({ code: 'STORE_FULL' })
    expect(await readEvents(store)).toHaveLength(3)
    // What has run to its end is recorded all the same; only the list of changes hears of it later.
    await expect(store.log.change({ call, events: [complete()] })).rejects.toMatchObject({ code: 'STORE_FULL' })
    expect((await readEvents(store)).at(-1)?.event).toBe('complete')
    expect(await store.log.find(call.callId)).toMatchObject({ state: 'completed' })
    await store.link.commands.config('SET', 'maxmemory', '0')
    expect(await store.log.change({ call, events: [complete()] })).toMatchObject({ kind: 'not-allowed' })
  })

  test('is full refused readers a list with an entry that a crash had left: it answers', async () => {
    const store = await open()
    await recordRunning(store)
    const longAgo = new ManualClock(Date.now() - 3_600_000)
    await createCallIndex(store.link, longAgo).announce(newCall({ trace: { ...TRACE, traceId: 'dead' } }))
    await store.link.commands.config('SET', 'maxmemory', '1')
    const { tenant } = TRACE
    const page = await createTraceList(store.link, systemClock).newest({ tenant, limit: 10, filter: {} })
    expect(page.items.map(({ traceId }) => traceId)).toEqual([TRACE.traceId])
    await store.link.commands.config('SET', 'maxmemory', '0')
  })

  test('was away gives watchers, catalogue and workers what they missed', async () => {
    const store = await open()
    const feeds = openTestFeeds(store, { checkMs: 3_600_000 })
    const call = await recordRunning(store)
    const watchers = [await Collector.join(feeds), await Collector.join(feeds)]
    await Promise.all(watchers.map((watcher) => watcher.untilSeq(3)))
    const view = await watchCatalogue(store.link, store.subscriptions, () => undefined)
    atEnd(() => view.stop())
    const queues = openQueues(store)
    const worker = startWorker(store)
    await queues.add(newCall())
    await worker.until(({ ran }) => ran.length === 1)
    await server.kill()
    await server.start()
    // Written by another process before this one is back.
    const other = await openTestStore({ url: () => server.url }, { prefix: store.prefix })
    await other.log.change({ call, events: [progress(1)] })
    await createCatalogueStore(other.link).write([], 0)
    await untilBack(store)
    await other.log.change({ call, events: [complete()] })
    await queues.add(newCall())
    for (const watcher of watchers) {
      await watcher.untilEnd()
      expect([watcher.seqs, watcher.failures, watcher.resets]).toEqual([[1, 2, 3, 4, 5], [], []])
    }
    await worker.until(({ ran }) => ran.length === 2)
    await untilSo(() => view.current().version === 1)
  })

  test('lost all it had resets its watchers', async () => {
    const store = await open()
    const feeds = openTestFeeds(store, { checkMs: 3_600_000 })
    await recordEnded(store, complete())
    const watcher = await Collector.join(feeds, { follow: true })
    await watcher.untilSeq(4)
    const other = await openTestStore({ url: () => server.url }, { prefix: store.prefix })
    await other.link.commands.flushall()
    await server.kill()
    await server.start()
    await watcher.until(({ resets }) => resets.length > 0)
    expect(watcher.resets).toEqual([{ reason: 'trimmed', snapshot: null, at: 4 }])
  })

  test.each(['killed', 'frozen'])('is away (%s) closes in bounded time', async (how) => {
    const store = await open()
    const [queues, worker] = [openQueues(store), startWorker(store)]
    await queues.add(newCall())
    await worker.until(({ ran }) => ran.length === 1)
    if (how === 'killed') await server.kill()
    else server.freeze()
    const startedAt = Date.now()
    await Promise.all([queues.close(), worker.close(), store.link.close()])
    expect(Date.now() - startedAt).toBeLessThan(5000)
  })

  test('comes back while workers are closing keeps none of their connections', async () => {
    const store = await open()
    const queues = openQueues(store)
    const agents = Array.from({ length: 10 }, (_, at) => `Agent${at}`)
    const workers = agents.map((agent) => startWorker(store, { agent }))
    await Promise.all(agents.map((agent) => queues.add(newCall({ agent }))))
    await Promise.all(workers.map((worker) => worker.until(({ ran }) => ran.length === 1)))
    await server.kill()
    await untilSo(() => store.link.commands.status === 'reconnecting')
    await server.start()
    // Some of them wait for their next try to connect, others are back.
    await Promise.all([queues.close(), ...workers.map((worker) => worker.close())])
    await untilBack(store)
    const connections = async () =>
      String(await store.link.commands.client('LIST'))
        .trim()
        .split('\n').length
    for (const givenUpAt = Date.now() + 3000; (await connections()) > 2 && Date.now() < givenUpAt; ) await delay(10)
    expect(await connections()).toBe(2)
  })

  test('is not there cannot be opened, and says so', async () => {
    const url = `redis://127.0.0.1:${await findFreePort()}`
    await expect(openRedisLink({ url })).rejects.toMatchObject({ code: 'HUB_UNAVAILABLE' })
  })
})

/** Settles once both connections are there again. */
async function untilBack({ link }: TestStore): Promise<void> {
  await untilSo(() => link.commands.status === 'ready' && link.subscriber.status === 'ready')
}

async function untilSo(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}
