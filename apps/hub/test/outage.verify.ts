import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from '@jest/globals'
import type { JsonObject, TraceSummary } from '@synchub/protocol'
import { createTraceReader } from '@synchub/redis'
import { callOnPath } from './agent-builder/path-requests.js'
import { manifestTool, serveToolService } from './agent-builder/tool-service.js'
import { closeAll } from './cleanup.js'
import { namesOf, seqsOf, watchTrace } from './event-reader.js'
import { callTool, getCall, getJson, postJson, postRpc, request, startCall } from './hub-requests.js'
import { modernRequest, postMcp } from './mcp/mcp-requests.js'
import { expectProblem } from './problem.js'
import { startRedisProxy } from './redis-proxy.js'
import { type RunningHub, runHub, sharedRedis } from './running-hub.js'
import { type AgentRequest, openStream, sendResult, serveScript, toolOf, writeEvent } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

async function setUp(agentPolicy: JsonObject = {}, limits: JsonObject = {}) {
  const held: { call: AgentRequest; release: () => void }[] = []
  const agent = await serveScript([toolOf('short'), toolOf('long')], (res, call) => {
    const release = () => sendResult(res, call.id, { content: [], structuredContent: { done: true } })
    if (call.name === 'short') release()
    else held.push({ call, release })
  })
  const service = await serveToolService([manifestTool('search')])
  const [hubWay, dispatcherWay] = [await startRedisProxy(sharedRedis()), await startRedisProxy(sharedRedis())]
  const hub = await runHub({
    agents: { Agent: { url: agent.url, ...agentPolicy, tools: { short: { mode: 'direct' } } } },
    publicPaths: { '/hr': { name: 'hr', url: service.url, manifest: 'manifest.json' } },
    limits,
    hubRedisUrl: hubWay.url,
    dispatcherRedisUrl: dispatcherWay.url,
  })
  return { agent, service, hub, hubWay, dispatcherWay, held }
}

/** The end of a trace, read past the way of the hub to Redis. */
const headOf = ({ link }: RunningHub, traceId: string) =>
  createTraceReader(link).head({ tenant: 'local', owner: 'local', traceId })

// The slowest tests come first, since these all run at the same time.
describe('a dispatcher whose Redis is away for longer than its locks last', () => {
  test.concurrent('goes on with what it runs, and neither starts it again nor gives it up', async () => {
    const { agent, hub, dispatcherWay, held } = await setUp({ concurrency: 5 })
    const callId = await startCall(hub.url, 'long', {}, { traceId: 'locks' })
    await until(() => held.length === 1)
    dispatcherWay.freeze()
    // The lock of the job is gone after 5 s. Checks come every 2 s: one marks a job without a lock, the next offers it again.
    await delay(5300)
    dispatcherWay.thaw()
    await delay(4300)
    expect(await getCall(hub.url, callId)).toMatchObject({ state: 'running', attempt: 1 })
    held[0]?.release()
    await until(async () => (await getCall(hub.url, callId)).state !== 'running')
    expect(await getCall(hub.url, callId)).toMatchObject({ state: 'completed', attempt: 1 })
    expect(agent.calls).toHaveLength(1)
    const { body } = await getJson<{ items: JsonObject[] }>(hub.url, '/traces/locks/events')
    expect(body.items.map(({ event }) => event)).toEqual(['received', 'accepted', 'started', 'complete'])
    await postJson(hub.url, `/calls/${callId}/cancel`)
  }, 60_000)
})

describe('a hub or dispatcher that is told to stop while its Redis is away', () => {
  async function stopWithout(how: 'gone' | 'frozen'): Promise<number> {
    const agent = await serveScript([toolOf('short'), toolOf('long')], (res) => openStream(res))
    const ways = [await startRedisProxy(sharedRedis()), await startRedisProxy(sharedRedis())] as const
    const hub = await runHub({
      agents: { Agent: { url: agent.url, safeToRepeat: true, tools: { short: { mode: 'direct' } } } },
      hubRedisUrl: ways[0].url,
      dispatcherRedisUrl: ways[1].url,
    })
    await startCall(hub.url, 'long')
    void callTool(hub.url, 'short', {}, { timeoutMs: 100 }).catch(() => undefined)
    await watchTrace(hub.url, 'stopping/events?follow=1')
    await until(() => agent.calls.length === 2)
    for (const way of ways) await (how === 'gone' ? way.goAway() : way.freeze())
    const startedAtMs = performance.now()
    await Promise.all([hub.hub.stop(), hub.dispatcher.stop()])
    const tookMs = performance.now() - startedAtMs
    for (const way of ways) await (how === 'gone' ? way.comeBack() : way.thaw())
    return tookMs
  }

  test.concurrent('stops all the same, whether Redis is gone or hangs', async () => {
    for (const tookMs of await Promise.all([stopWithout('gone'), stopWithout('frozen')])) {
      expect(tookMs).toBeLessThan(20_000)
    }
  }, 60_000)
})

describe('a hub whose Redis is away', () => {
  const most = { callsPerMinute: 1000, openCalls: 100 }
  test.concurrent.each([
    ['gone', 'without limits', {}],
    ['frozen', 'without limits', {}],
    // Limits need Redis too: what cannot be counted is not taken.
    ['gone', 'with limits on calls', { caller: most, tenant: most }],
    ['frozen', 'with limits on calls', { caller: most, tenant: most }],
  ])('says so within 2 s, lives on, and recovers by itself: %s, %s', async (how, _limited, limits) => {
    const { agent, service, hub, hubWay, held } = await setUp({}, limits)
    const traceId = 'before'
    await callTool(hub.url, 'short', {}, { traceId })
    const awayFromMs = performance.now()
    if (how === 'gone') await hubWay.goAway()
    else hubWay.freeze()

    const timed = async (ask: () => Promise<{ status: number; body: JsonObject | object }>) => {
      const startedAtMs = performance.now()
      const { status, body } = await ask()
      expect(performance.now() - startedAtMs).toBeLessThan(2500)
      return { status, body: body as Parameters<typeof expectProblem>[0]['body'] }
    }
    const asked = [
      () => callTool(hub.url, 'short', {}, { traceId: 'during' }),
      () => callTool(hub.url, 'long', {}, { traceId: 'during', idempotencyKey: 'k' }),
      () => callTool(hub.url, 'long', {}, { traceId: 'during' }, { Accept: 'text/event-stream, application/json' }),
      () => callTool(hub.url, 'nope', {}, { traceId: 'during' }),
      () => postRpc(hub.url, request('calls/get', { callId: '01890a5d-ac96-774b-bcce-b302099a8057' })),
    ]
    const read = ['/traces', `/traces/${traceId}`, `/traces/${traceId}/events`].map(
      (path) => () => getJson(hub.url, path),
    )
    const callId = '01890a5d-ac96-774b-bcce-b302099a8057'
    const operations = [
      () => postJson(hub.url, `/calls/${callId}/cancel`),
      () => postJson(hub.url, `/calls/${callId}/rerun`),
      () => getJson(hub.url, `/calls/${callId}`),
    ]
    const overMcp = [
      modernRequest('tools/call', { name: 'short', arguments: {} }),
      modernRequest('resources/read', { uri: `trace://${traceId}` }),
    ]
    const onMcp = overMcp.map(({ frame, headers }) => timed(() => postMcp(hub.url, frame, headers)))
    const onPath = timed(() => callOnPath(`${hub.url}/hr`, 'search'))
    const [refused, unread, retry, readiness] = await Promise.all([
      Promise.all(asked.map(timed)),
      Promise.all([...read, ...operations].map(timed)),
      callTool(hub.url, 'short'),
      timed(() => getJson(hub.url, '/readyz')),
    ])
    for (const answer of refused) expectProblem(answer, 'HUB_UNAVAILABLE', 'request-1')
    for (const answer of unread) expectProblem(answer, 'HUB_UNAVAILABLE')
    for (const { body } of await Promise.all(onMcp)) {
      expect(body).toMatchObject({ error: { data: { title: 'HUB_UNAVAILABLE' } } })
    }
    expect((await onPath).body).toMatchObject({ error: { data: { title: 'HUB_UNAVAILABLE' } } })
    expect(retry.headers.get('retry-after')).toBe('2')
    expect((await getJson(hub.url, '/healthz')).status).toBe(200)
    expect(readiness.status).toBe(503)
    expect(readiness.body).toMatchObject({ status: 'not-ready' })
    expect((await postRpc(hub.url, request('tools/list'))).status).toBe(200)

    if (how === 'gone') await hubWay.comeBack()
    else hubWay.thaw()
    await until(async () => (await fetch(`${hub.url}/readyz`)).ok)
    expect((await callTool(hub.url, 'short', {}, { traceId: 'after' })).status).toBe(200)
    // What was refused is not done behind the caller's back. What the hub tries again it tries within as long as Redis was away,
    // since its pauses double; and what it would have put into the queue comes before a call that is made after that.
    await delay(performance.now() - awayFromMs + 100)
    await startCall(hub.url, 'long', {}, { traceId: 'last' })
    await until(() => held.length > 0)
    expect(agent.calls.map(({ meta }) => meta.traceId)).toEqual(['before', 'after', 'last'])
    held[0]?.release()
    expect(service.calls).toEqual([])
    const { body } = await getJson<{ items: TraceSummary[] }>(hub.url, '/traces')
    expect(body.items.map((trace) => trace.traceId)).toEqual(['last', 'after', 'before'])
  })

  test.concurrent.each([
    ['gone', 'short'],
    ['gone', 'long'],
    ['frozen', 'short'],
    ['frozen', 'long'],
  ])(
    'takes back what Redis recorded although its answer never came: %s, %s',
    async (how, tool) => {
      const { agent, hub, hubWay, held } = await setUp()
      const meta = { traceId: 'taken-back', idempotencyKey: 'key' }
      // The step that records a call is the first that tells of its caller.
      hubWay.oncePassed('"caller":', () => (how === 'gone' ? void hubWay.goAway() : hubWay.freeze()))
      expectProblem(await callTool(hub.url, tool, {}, meta), 'HUB_UNAVAILABLE', 'request-1')
      if (how === 'gone') await hubWay.comeBack()
      else hubWay.thaw()
      await until(async () => (await fetch(`${hub.url}/traces/taken-back/events`)).ok)
      const namesNow = async () =>
        (await getJson<{ items: JsonObject[] }>(hub.url, '/traces/taken-back/events')).body.items.map(
          ({ event }) => event,
        )
      await until(async () => (await namesNow()).includes('failed'))
      expect((await namesNow()).at(-1)).toBe('failed')
      expect(agent.calls).toEqual([])
      // The key is free: the repeat runs.
      const repeat = callTool(hub.url, tool, {}, { ...meta, traceId: 'repeated' })
      await until(() => agent.calls.length === 1)
      held[0]?.release()
      expect((await repeat).body.result).toMatchObject({ structuredContent: { done: true } })
      expect(agent.calls.map(({ meta: { traceId } }) => traceId)).toEqual(['repeated'])
    },
    60_000,
  )

  test.concurrent('keeps the callers that wait, and answers them when it is back', async () => {
    const { hub, hubWay, held } = await setUp()
    const answer = callTool(hub.url, 'long', {}, { traceId: 'waited-for', timeoutMs: 20_000 })
    await until(() => held.length === 1)
    await hubWay.goAway()
    held[0]?.release()
    await until(async () => (await headOf(hub, 'waited-for'))?.openCalls === 0)
    // Longer than the hub waits for an answer of Redis: what it asks meanwhile fails.
    await delay(2000)
    await hubWay.comeBack()
    expect((await answer).body.result).toMatchObject({ structuredContent: { done: true } })
  })

  test.concurrent('tells a caller whose time is over meanwhile that its call goes on', async () => {
    const { hub, hubWay, held } = await setUp()
    const answer = callTool(hub.url, 'long', {}, { timeoutMs: 500 })
    await until(() => held.length === 1)
    await hubWay.goAway()
    expectProblem(await answer, 'DEADLINE_EXCEEDED', 'request-1')
    await hubWay.comeBack()
  })

  test.concurrent('records the end of a short call once it is back', async () => {
    const agent = await serveScript([toolOf('slow')], () => undefined)
    const way = await startRedisProxy(sharedRedis())
    const hub = await runHub({ agents: { Agent: { url: agent.url, mode: 'direct' } }, hubRedisUrl: way.url })
    agent.behave(async (res, { id }) => {
      await way.goAway()
      sendResult(res, id, { content: [], structuredContent: { done: true } })
      // The hub has the result before it has this question, and tries to record it at once.
      await until(async () => (await getJson(hub.url, '/readyz')).status === 503)
      await way.comeBack()
    })
    const answer = await callTool(hub.url, 'slow', {}, { traceId: 'slow' })
    expect(answer.body.result).toMatchObject({ structuredContent: { done: true } })
    expect(agent.calls).toHaveLength(1)
  })
})

describe('a watcher', () => {
  test.concurrent.each(['gone', 'frozen'])(
    'misses nothing of what happened while the hub had no Redis: %s',
    async (how) => {
      const steps: (() => void)[] = []
      const agent = await serveScript([toolOf('long')], (res) => {
        openStream(res)
        let at = 0
        steps.push(() => writeEvent(res, 'progress', { progress: ++at }))
        steps.push(() => {
          writeEvent(res, 'complete', { result: {} })
          res.end()
        })
      })
      const way = await startRedisProxy(sharedRedis())
      const hub = await runHub({
        agents: { Agent: { url: agent.url } },
        hubRedisUrl: way.url,
        streams: { lingerMs: 200 },
      })
      await startCall(hub.url, 'long', {}, { traceId: 'watched' })
      await until(() => steps.length === 2)
      const reader = await watchTrace(hub.url, 'watched/events')
      await reader.count(3)
      for (let round = 0; round < 2; round++) {
        if (how === 'gone') await way.goAway()
        else way.freeze()
        for (let at = 0; at < 5; at++) steps[0]?.()
        await until(async () => (await headOf(hub, 'watched'))?.seq === 3 + 5 * (round + 1))
        if (how === 'gone') await way.comeBack()
        else way.thaw()
        await reader.count(3 + 5 * (round + 1))
      }
      steps[1]?.()
      await reader.over
      expect(seqsOf(reader)).toEqual(Array.from({ length: 14 }, (_, at) => at + 1))
      expect(namesOf(reader).at(-1)).toBe('end')
    },
  )
})
