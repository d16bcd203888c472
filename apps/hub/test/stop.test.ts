import { afterAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { namesOf, postForStream, watchTrace } from './event-reader.js'
import { callFrame, callTool, getCall, getJson, startCall } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { type HubPlace, openPlace, runHub, untilReady } from './running-hub.js'
import { type SteeredRun, serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

/** Jobs that a queue has given away and not got back. */
async function activeJobs({ link, prefix }: HubPlace): Promise<number> {
  const lists = await link.commands.keys(`{${prefix}:queue}:*:active`)
  return (await Promise.all(lists.map((name) => link.commands.llen(name)))).reduce((sum, length) => sum + length, 0)
}

const eventsOf = async (url: string, traceId: string): Promise<unknown[]> => {
  const { body } = await getJson<{ items: JsonObject[] }>(url, `/traces/${traceId}/events`)
  return body.items.map(({ event }) => event)
}

describe('a dispatcher that stops', () => {
  test.concurrent('lets runs end that soon do, hands the others back, and no work is done twice', async () => {
    const work = steeredTool('work')
    const agent = await serveTools([work.tool])
    const hub = await runHub({ agents: { Agent: { url: agent.url, safeToRepeat: true, concurrency: 10 } } })
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, at) => startCall(hub.url, 'work', { at }, { traceId: `run-${at}` })),
    )
    const runs: SteeredRun[] = []
    for (const _ of ids) runs.push(await work.nextRun())
    const next = await hub.startDispatcher()
    const stopped = hub.dispatcher.stop()
    for (const run of runs.filter(({ args }) => Number(args.at) < 5)) run.complete({ structuredContent: run.args })
    await stopped
    const calls = await Promise.all(ids.map((id) => getCall(hub.url, id)))
    for (const call of calls.slice(0, 5)) expect(call).toMatchObject({ state: 'completed', attempt: 1 })
    for (const call of calls.slice(5)) expect(call.endedAt).toBeUndefined()
    // The other dispatcher takes over what was handed back; the agent goes on with the work that it has begun.
    await until(async () =>
      (await Promise.all(ids.map((id) => getCall(hub.url, id)))).every(({ attempt }, at) => at < 5 || attempt === 2),
    )
    for (const run of runs.filter(({ args }) => Number(args.at) >= 5)) run.complete({ structuredContent: run.args })
    await until(async () =>
      (await Promise.all(ids.map((id) => getCall(hub.url, id)))).every(({ state }) => state === 'completed'),
    )
    expect(work.runs).toHaveLength(10)
    expect(await eventsOf(hub.url, 'run-7')).toEqual([
      ...['received', 'accepted', 'started', 'handed_back', 'started', 'complete'],
    ])
    await until(async () => (await activeJobs(hub)) === 0)
    await next.stop()
    expect(await activeJobs(hub)).toBe(0)
  })

  test.concurrent('says that an outcome is unknown where nobody may ask again', async () => {
    const work = steeredTool('work')
    const agent = await serveTools([work.tool])
    const hub = await runHub({ agents: { Agent: { url: agent.url } } })
    const callId = await startCall(hub.url, 'work', {}, { traceId: 'left' })
    await work.nextRun()
    await hub.dispatcher.stop()
    expect(await getCall(hub.url, callId)).toMatchObject({
      state: 'unknown',
      error: { data: { title: 'OUTCOME_UNKNOWN' } },
    })
    expect(await activeJobs(hub)).toBe(0)
  })

  test.concurrent('leaves calls that wait to the next one', async () => {
    const work = steeredTool('work')
    const agent = await serveTools([work.tool])
    const hub = await runHub({ agents: { Agent: { url: agent.url, concurrency: 1, safeToRepeat: true } } })
    const first = await startCall(hub.url, 'work', { at: 1 })
    const run = await work.nextRun()
    const second = await startCall(hub.url, 'work', { at: 2 })
    const stopped = hub.dispatcher.stop()
    run.complete()
    await stopped
    expect(await getCall(hub.url, first)).toMatchObject({ state: 'completed' })
    expect(await getCall(hub.url, second)).toMatchObject({ state: 'queued', attempt: 0 })
    await hub.startDispatcher()
    const next = await work.nextRun()
    expect(next.args).toEqual({ at: 2 })
    next.complete()
    await until(async () => (await getCall(hub.url, second)).state === 'completed')
  })
})

describe('a hub that stops', () => {
  async function setUp() {
    const [short, long] = [steeredTool('short'), steeredTool('long')]
    const agent = await serveTools([short.tool, long.tool])
    const place = await openPlace({
      agents: { Agent: { url: agent.url, safeToRepeat: true, tools: { short: { mode: 'direct' } } } },
    })
    await place.startDispatcher()
    const [stopping, stays] = [await place.startHub(), await place.startHub()]
    await untilReady(stopping.url)
    return { short, long, stopping, stays }
  }

  test.concurrent('answers short calls that soon end, and takes no new ones', async () => {
    const { short, stopping, stays } = await setUp()
    const answer = callTool(stopping.url, 'short', {}, { traceId: 'soon' })
    const run = await short.nextRun()
    const stopped = stopping.stop()
    // While its run goes on it refuses in a form that is understood.
    const refused = await callTool(stopping.url, 'short')
    expectProblem(refused, 'HUB_UNAVAILABLE', 'request-1')
    expect(refused.headers.get('retry-after')).toBe('1')
    // A reader is cut instead: a browser's EventSource would give up for good at a 503.
    await expect(watchTrace(stopping.url, 'soon/events')).rejects.toBeDefined()
    run.complete({ structuredContent: { in: 'time' } })
    expect((await answer).body.result).toMatchObject({ structuredContent: { in: 'time' } })
    await stopped
    expect(await eventsOf(stays.url, 'soon')).toEqual(['received', 'accepted', 'started', 'complete'])
    await expect(fetch(`${stopping.url}/healthz`)).rejects.toBeDefined()
  })

  test.concurrent('hands short calls back that go on, and says so to their callers', async () => {
    const { short, stopping, stays } = await setUp()
    const answer = callTool(stopping.url, 'short', {}, { traceId: 'later', timeoutMs: 30_000 })
    const run = await short.nextRun()
    await stopping.stop()
    const refused = await answer
    expectProblem(refused, 'DEADLINE_EXCEEDED', 'request-1')
    expect(refused.body.error?.message).toContain('the call goes on; this hub is stopping')
    const callId = String(refused.body.error?.data.callId)
    await until(async () => (await getCall(stays.url, callId)).attempt === 2)
    run.complete({ structuredContent: { done: true } })
    await until(async () => (await getCall(stays.url, callId)).state === 'completed')
    expect(short.runs).toHaveLength(1)
    expect(await eventsOf(stays.url, 'later')).toEqual([
      ...['received', 'accepted', 'started', 'handed_back', 'started', 'complete'],
    ])
  })

  test.concurrent('tells those who wait for long calls that they go on, and ends their streams', async () => {
    const { long, stopping, stays } = await setUp()
    const answer = callTool(stopping.url, 'long', {}, { timeoutMs: 30_000 })
    const waited = await long.nextRun()
    const posted = await postForStream(stopping.url, callFrame('long', {}, { traceId: 'posted' }))
    const streamed = await long.nextRun()
    const watching = await watchTrace(stopping.url, 'posted/events')
    await watching.count(3)
    const startedAtMs = performance.now()
    await stopping.stop()
    expect(performance.now() - startedAtMs).toBeLessThan(2000)
    expectProblem(await answer, 'DEADLINE_EXCEEDED', 'request-1')
    await Promise.all([posted.over, watching.over])
    expect(namesOf(posted)).toEqual([])
    waited.complete()
    streamed.complete()
    const resumed = await watchTrace(stays.url, 'posted/events', {
      'Last-Event-ID': String(watching.events.at(-1)?.id),
    })
    await resumed.over
    expect(namesOf(resumed)).toEqual(['complete', 'end'])
  })

  test.concurrent('says first that it is not ready', async () => {
    const { short, stopping } = await setUp()
    const answer = callTool(stopping.url, 'short').catch(() => undefined)
    const run = await short.nextRun()
    const probe = await fetch(`${stopping.url}/readyz`)
    expect(probe.status).toBe(200)
    await probe.text()
    const stopped = stopping.stop()
    // At once, and for as long as its run may take.
    const later = await getJson<JsonObject>(stopping.url, '/readyz')
    expect(later.status).toBe(503)
    expect(later.body).toMatchObject({
      checks: expect.arrayContaining([{ name: 'serving', ok: false, detail: 'the hub is stopping' }]),
    })
    expect((await fetch(`${stopping.url}/healthz`)).status).toBe(200)
    run.complete()
    await Promise.all([answer, stopped])
  })
})

describe('a hub that cannot start', () => {
  test.concurrent('names the port that is taken, and leaves nothing running', async () => {
    const place = await openPlace()
    const { url } = await place.startHub()
    const second = place.startHub(Number(new URL(url).port))
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const presence = await place.link.commands.keys(`${place.prefix}:hub:*`)
    expect(presence).toHaveLength(1)
  })
})
