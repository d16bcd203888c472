import { afterAll, expect, test } from '@jest/globals'
import { closeAll } from './cleanup.js'
import { namesOf, watchTrace } from './event-reader.js'
import { callTool, getJson } from './hub-requests.js'
import { type OwnRedis, startOwnRedis } from './own-redis.js'
import { expectProblem } from './problem.js'
import { startRedisProxy } from './redis-proxy.js'
import { runHub, untilReady } from './running-hub.js'
import { serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

interface ReadinessBody {
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
}

const portOf = ({ url }: OwnRedis) => Number(new URL(url).port)

/** A hub and a dispatcher whose way leads to a primary, and a replica beside it. */
async function setUp() {
  const [first, second] = [await startOwnRedis(), await startOwnRedis()]
  const way = await startRedisProxy(first.url)
  const agent = await serveScript([toolOf('short'), toolOf('long')])
  const { url } = await runHub({
    agents: { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } },
    hubRedisUrl: way.url,
    dispatcherRedisUrl: way.url,
  })
  await second.client.replicaof('127.0.0.1', portOf(first))
  await until(async () => (await second.client.info('replication')).includes('master_link_status:up'))
  return { first, second, way, url, agent }
}

/** Waits until the hub sends callers away, and says what its store answers. */
const untilNotReady = (url: string, reply: string) =>
  until(async () => {
    const { status, body } = await getJson<ReadinessBody>(url, '/readyz')
    const check = body.checks.find(({ name }) => name === 'store')
    return status === 503 && check?.ok === false && check.detail?.includes(reply) === true
  })

test.concurrent('a hub whose Redis was made a replica and kept its connections is not ready, and goes to the new primary by itself', async () => {
  const { first, second, way, url, agent } = await setUp()
  const watching = await watchTrace(url, 'after/events?follow=1')
  expect((await callTool(url, 'short', {}, { traceId: 'before' })).status).toBe(200)
  await second.client.replicaof('NO', 'ONE')
  await first.client.replicaof('127.0.0.1', portOf(second))
  expectProblem(await callTool(url, 'short'), 'HUB_UNAVAILABLE', 'request-1')
  await untilNotReady(url, 'READONLY')
  // What can be read is read.
  expect((await getJson<{ items: unknown[] }>(url, '/traces/before/events')).body.items).toHaveLength(4)
  way.leadTo(second.url)
  await untilReady(url)
  for (const tool of ['short', 'long']) {
    expect((await callTool(url, tool, {}, { traceId: 'after' })).status).toBe(200)
  }
  await until(() => namesOf(watching).filter((name) => name === 'complete').length === 2)
  expect(agent.calls).toHaveLength(3)
}, 60_000)

test.concurrent('a hub whose Redis takes no writes for want of replicas is not ready until it does', async () => {
  const { first, url } = await setUp()
  await first.client.config('SET', 'min-replicas-to-write', '2')
  await untilNotReady(url, 'NOREPLICAS')
  await first.client.config('SET', 'min-replicas-to-write', '0')
  await untilReady(url)
  expect((await callTool(url, 'long')).status).toBe(200)
}, 60_000)
