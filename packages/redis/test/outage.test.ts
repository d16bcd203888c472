import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { NewCall } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import {
  createCancelBroadcast,
  createCatalogueStore,
  createClaims,
  createLeases,
  createOpenCalls,
  createTickets,
  createTraceList,
  loadScripts,
  openRedisLink,
  watchCatalogue,
} from '../src/index.js'
import {
  ACCEPTED,
  complete,
  newCall,
  progress,
  RECEIVED,
  readEvents,
  recordEnded,
  recordRunning,
  TRACE,
} from './call/sample-call.js'
import { systemClock } from './clock/system-clock.js'
import { Collector } from './feed/collector.js'
import { openTestFeeds, type TestFeeds } from './feed/test-feeds.js'
import { atEnd, closeAll } from './place/cleanup.js'
import { findFreePort } from './place/redis-place.js'
import { type RedisServer, startRedisServer } from './place/redis-server.js'
import { openTestStore, type TestStore } from './place/test-store.js'
import { openQueues, startWorker } from './queue/test-worker.js'

/** How soon a caller must know that the store is away. */
const MAX_WAIT_MS = 2000

let server: RedisServer

beforeEach(async () => {
  server = await startRedisServer()
  const own = server
  atEnd(() => own.remove())
})

afterEach(closeAll)

const open = () => openTestStore({ url: () => server.url })

/** Every operation of the store, ready to be asked. */
function listOperations(store: TestStore, feeds: TestFeeds, call: NewCall): Record<string, () => Promise<unknown>> {
  const { link, log, reader } = store
  const scope = { tenant: 'acme', owner: 'alice' }
  const claim = { keyDigest: `k-${call.callId}`, payloadDigest: 'p' }
  const [claims, leases, tickets] = [createClaims(link, systemClock), createLeases(link), createTickets(link)]
  const [catalogue, openCalls, list] = [createCatalogueStore(link), createOpenCalls(link), createTraceList(link)]
  const queues = openQueues(store)
  const query = { tenant: 'acme', filter: {}, limit: 10 }
  const ticket = {
    ticketId: 't',
    callId: call.callId,
    trace: TRACE,
    agent: 'a',
    tool: 't',
    detail: 'd',
    requestedAtMs: 1,
  }
  return {
    record: () => log.record(newCall(), [RECEIVED, ACCEPTED]),
    change: () => log.change({ call, events: [progress(Date.now())] }),
    find: () => log.find(call.callId),
    findEnding: async () => log.findEnding({ ...call, state: 'completed', attempt: 1, createdAtMs: 1 }),
    head: () => reader.head(TRACE),
    readAfter: () => reader.readAfter(TRACE, null, 10),
    readOn: () => reader.readOn(TRACE, '1-1', 10),
    judgeCursor: () => reader.judgeCursor(TRACE, '1-1'),
    snapshot: () => reader.snapshot(TRACE),
    watch: () => Collector.join(feeds, { trace: { ...TRACE, traceId: `watched-${Date.now()}` }, follow: true }),
    claim: () => claims.claim(scope, claim, call),
    release: () => claims.release(scope, claim.keyDigest, call.callId),
    findCallId: () => claims.findCallId(scope, claim.keyDigest),
    'add to the queue': () => queues.add(call),
    'add to a new queue': () => queues.add({ ...call, agent: `agent-${Date.now()}` }),
    'add to a queue that is new in the outage': () => queues.add({ ...call, agent: 'newcomer' }),
    'has in the queue': () => queues.has(call),
    'remove from the queue': () => queues.remove(call),
    'hold a lease': () => leases.hold('sweep', 'me', 1000),
    'drop a lease': () => leases.drop('sweep', 'me'),
    'show presence': () => leases.showPresence('hub-1', 1000),
    'end presence': () => leases.endPresence('hub-1'),
    'ask for presence': () => leases.isPresent('hub-1'),
    'record a ticket': () => tickets.record(ticket),
    'find a ticket': () => tickets.find('t'),
    'read the catalogue': () => catalogue.read(),
    'write the catalogue': () => catalogue.write([]),
    'due calls': () => openCalls.due(Date.now(), 10),
    'look again': () => openCalls.lookAgain(call.callId, 1),
    'forget a call': () => openCalls.forget(call.callId),
    newest: () => list.newest({ ...query, owner: 'alice' }),
    'newest of the tenant': () => list.newest(query),
    changedSince: () => list.changedSince(query, 0),
    ownersOf: () => list.ownersOf('acme', 'trace-1'),
    'announce a cancel': () => createCancelBroadcast(link).announce(call.callId),
    'load the scripts': () => loadScripts(link),
  }
}

interface Answer {
  readonly code: string
  readonly inTime: boolean
}

/** Asks everything at once. */
async function askAll(operations: Record<string, () => Promise<unknown>>): Promise<Record<string, Answer>> {
  const answers = Object.entries(operations).map(async ([name, ask]): Promise<[string, Answer]> => {
    const startedAt = Date.now()
    const code = await ask().then(
      () => 'answered',
      (thrown: unknown) => (thrown instanceof HubError ? thrown.code : String(thrown)),
    )
    return [name, { code, inTime: Date.now() - startedAt < MAX_WAIT_MS }]
  })
  return Object.fromEntries(await Promise.all(answers))
}

const everyAnswer = (operations: object, code: string) =>
  Object.fromEntries(Object.keys(operations).map((name) => [name, { code, inTime: true }]))

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

  test('is full refuses writes with the reason, and still answers readers', async () => {
    const store = await open()
    const call = await recordRunning(store)
    await store.link.commands.config('SET', 'maxmemory', '1')
    const writing = store.log.change({ call, events: [progress(1)] })
    await expect(writing).rejects.toMatchObject({
      code: 'HUB_UNAVAILABLE',
      reason: expect.stringMatching(/refuses: OOM/),
    })
    expect(await readEvents(store)).toHaveLength(3)
    await store.link.commands.config('SET', 'maxmemory', '0')
    await store.log.change({ call, events: [progress(1)] })
    expect(await readEvents(store)).toHaveLength(4)
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
    await createCatalogueStore(other.link).write([])
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
    expect(watcher.resets).toEqual([{ reason: 'future', snapshot: null, at: 4 }])
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
