import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { newCall, recordRunning, TRACE } from './call/sample-call.js'
import { describeCallLog } from './contract/call-log-contract.js'
import { describeChildCalls } from './contract/child-call-contract.js'
import { describeClaims } from './contract/claims-contract.js'
import { describeClients } from './contract/client-contract.js'
import { describeCursors } from './contract/cursor-contract.js'
import { describeEndings } from './contract/ending-contract.js'
import { describeErrands } from './contract/errands-contract.js'
import { describeFences } from './contract/fence-contract.js'
import { describePaces } from './contract/pace-contract.js'
import { describePorts } from './contract/ports-contract.js'
import { describeQueues } from './contract/queue-contract.js'
import { describeReplies } from './contract/replies-contract.js'
import { describeRetention } from './contract/retention-contract.js'
import { describeRemovedKeys } from './contract/retention-key-contract.js'
import { describeWatchedRetention } from './contract/retention-watch-contract.js'
import { describeSeam, describeSeamLosses } from './contract/seam-contract.js'
import { describeSnapshots } from './contract/snapshot-contract.js'
import { describeStreamEnds } from './contract/stream-end-contract.js'
import { describeStreamFlow } from './contract/stream-flow-contract.js'
import { describeTraceList } from './contract/trace-list-contract.js'
import { Collector } from './feed/collector.js'
import { openTestFeeds } from './feed/test-feeds.js'
import { askAll, COMMAND_TIMEOUT_MS, everyAnswer, listOperations } from './outage/operations.js'
import { closeAll } from './place/cleanup.js'
import { type RedisCluster, startRedisCluster } from './place/redis-cluster.js'
import { nodesOf, openTestStore } from './place/test-store.js'

let cluster: RedisCluster

beforeAll(async () => {
  cluster = await startRedisCluster()
}, 60_000)

afterEach(closeAll)

afterAll(() => cluster.remove())

const place = { url: () => cluster.url() }

describe('on a cluster of three nodes', () => {
  test('traces lie on all nodes', async () => {
    const store = await openTestStore(place)
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => recordRunning(store, { trace: { ...TRACE, traceId: `trace-${at}` } })),
    )
    const sizes = await Promise.all(nodesOf(store.link.commands).map((node) => node.dbsize()))
    expect(sizes).toHaveLength(3)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
  })

  describeCallLog(place)
  describeChildCalls(place)
  describeEndings(place)
  describeFences(place)
  describeCursors(place)
  describeSnapshots(place)
  describeTraceList(place)
  describeClaims(place)
  describeRetention(place)
  describeRemovedKeys(place)
  describeWatchedRetention(place)
  describeClients(place)
  describePaces(place)
  describePorts(place)
  describeReplies(place)
  describeErrands(place)
  describeQueues(place)
  describeStreamEnds(place)
  describeStreamFlow(place)
  describeSeam(place, { events: 5000, watchers: 200 })
  describeSeamLosses(place, { events: 5000, watchers: 200 })
})

describe('a cluster of which a node was killed', () => {
  test('gives its watchers the whole trace once the node is back, wherever they were subscribed', async () => {
    const store = await openTestStore(place)
    const feeds = openTestFeeds(store, { checkMs: 3_600_000 })
    const traces = Array.from({ length: 12 }, (_, at) => ({ ...TRACE, traceId: `trace-${at}` }))
    await Promise.all(traces.map((trace) => recordRunning(store, { trace })))
    const watchers = await Promise.all(traces.map((trace) => Collector.join(feeds, { trace, follow: true })))
    await Promise.all(watchers.map((watcher) => watcher.untilSeq(3)))
    for (const node of cluster.nodes) {
      await node.kill()
      await node.start()
      await cluster.untilWhole()
    }
    const writer = await openTestStore(place, { prefix: store.prefix })
    await Promise.all(traces.map((trace) => writer.log.record(newCall({ trace }), [{ event: 'received', data: {} }])))
    await Promise.all(watchers.map((watcher) => watcher.untilSeq(4)))
    for (const { seqs, resets } of watchers) expect([seqs, resets]).toEqual([[1, 2, 3, 4], []])
  }, 60_000)

  test('answers or says in time that it cannot, whatever of it is away, and goes on by itself', async () => {
    const store = await openTestStore(place, { commandTimeoutMs: COMMAND_TIMEOUT_MS })
    const feeds = openTestFeeds(store, { checkMs: 3_600_000 })
    const call = await recordRunning(store)
    const operations = listOperations(store, feeds, call)
    const untilAnswered = async () => {
      for (;;) {
        const answers = Object.values(await askAll(operations))
        if (answers.every(({ code }) => code === 'answered')) return
        await delay(200)
      }
    }
    await untilAnswered()
    const [first, ...others] = cluster.nodes
    await first?.kill()
    for (let round = 0; round < 4; round++) {
      for (const [name, answer] of Object.entries(await askAll(operations))) {
        expect([name, answer]).toEqual([
          name,
          { code: expect.stringMatching(/^(answered|HUB_UNAVAILABLE)$/), inTime: true },
        ])
      }
    }
    await Promise.all(others.map((node) => node.kill()))
    // Whatever was under way when the last node went; from here on nothing can be answered.
    await askAll(operations)
    expect(await askAll(operations)).toEqual(everyAnswer(operations, 'HUB_UNAVAILABLE'))
    await Promise.all(cluster.nodes.map((node) => node.start()))
    await cluster.untilWhole()
    await untilAnswered()
  }, 60_000)
})
