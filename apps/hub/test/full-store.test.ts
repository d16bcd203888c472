import { afterAll, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { callOnPath } from './agent-builder/path-requests.js'
import { manifestTool, serveToolService } from './agent-builder/tool-service.js'
import { closeAll } from './cleanup.js'
import { callTool, getCall, getJson, metaOf, startCall } from './hub-requests.js'
import { startOwnRedis } from './own-redis.js'
import { expectProblem } from './problem.js'
import { runHub } from './running-hub.js'
import { type AgentRequest, sendResult, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

interface ReadinessBody {
  readonly status: string
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
}

test('a hub whose Redis is nearly full refuses new calls by name, and records those that run even when it is quite full', async () => {
  const redis = await startOwnRedis()
  const held: { call: AgentRequest; release: () => void }[] = []
  const agent = await serveScript([toolOf('short'), toolOf('long')], (res, call) => {
    const release = () => sendResult(res, call.id, { content: [], structuredContent: { done: true } })
    if (call.meta.traceId === 'held') held.push({ call, release })
    else release()
  })
  const service = await serveToolService([manifestTool('search')])
  const hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } },
    publicPaths: { '/hr': { name: 'hr', url: service.url, manifest: 'manifest.json' } },
    hubRedisUrl: redis.url,
    dispatcherRedisUrl: redis.url,
  })
  const memoryCheck = async () => {
    const { body } = await getJson<ReadinessBody>(hub.url, '/readyz')
    return body.checks.find(({ name }) => name === 'memory')
  }
  const setMemory = (bytes: number) => redis.client.config('SET', 'maxmemory', String(bytes))
  const usedBytes = async () => Number(/used_memory:(\d+)/.exec(await redis.client.info('memory'))?.[1])
  const keyed = { idempotencyKey: 'once' }

  const first = await callTool(hub.url, 'short', {}, { ...keyed, traceId: 'first' })
  const long = await startCall(hub.url, 'long', {}, { traceId: 'held' })
  const short = callTool(hub.url, 'short', {}, { traceId: 'held', timeoutMs: 30_000 })
  await until(() => held.length === 2)
  expect(await memoryCheck()).toEqual({ name: 'memory', ok: true })

  // Half of so small a memory is the reserve.
  await setMemory(Math.round((await usedBytes()) * 1.5))
  await until(async () => (await memoryCheck())?.ok === false)
  expect(await memoryCheck()).toMatchObject({ detail: expect.stringMatching(/Redis is full, with .* of .* in use/) })
  expect((await fetch(`${hub.url}/readyz`)).status).toBe(200)
  for (const tool of ['short', 'long', 'no-such-tool']) {
    const refused = await callTool(hub.url, tool, {}, { traceId: 'refused' })
    expectProblem(refused, 'STORE_FULL', 'request-1')
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.body.error?.data.nextStep).toMatch(/raise the maxmemory of its Redis/)
  }
  expect((await callOnPath(`${hub.url}/hr`, 'search')).body.error).toMatchObject({
    code: -32603,
    data: { title: 'STORE_FULL' },
  })
  // What exists is served all the same.
  const repeat = await callTool(hub.url, 'short', {}, keyed)
  expect(repeat.body.result).toMatchObject({ _meta: { replayed: true, callId: metaOf(first).callId } })
  expect((await getJson<{ items: JsonObject[] }>(hub.url, '/traces')).body.items).toHaveLength(2)

  await setMemory(1)
  for (const { release } of held) release()
  expect((await short).body.result).toMatchObject({ structuredContent: { done: true } })
  await until(async () => (await getCall(hub.url, long)).state === 'completed')
  const { body } = await getJson<{ items: JsonObject[] }>(hub.url, '/traces/held/events')
  expect(body.items.filter(({ event }) => event === 'complete')).toHaveLength(2)

  await setMemory(0)
  await until(async () => (await memoryCheck())?.ok === true)
  expect((await callTool(hub.url, 'long', {}, { traceId: 'after' })).status).toBe(200)
  expect(agent.calls.map(({ meta }) => String(meta.traceId)).toSorted()).toEqual(['after', 'first', 'held', 'held'])
  expect(service.calls).toHaveLength(0)
  await until(async () => (await redis.client.keys('*:active')).length === 0)
  const lines = hub.logs.filter((line) => /Redis is full|Redis has room again/.test(line))
  expect(lines.map((line) => (JSON.parse(line) as JsonObject).level)).toEqual([50, 40])
}, 60_000)
