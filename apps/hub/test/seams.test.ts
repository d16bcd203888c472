import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { openAgentQueues } from '@synchub/redis'
import { v7 as uuidv7 } from 'uuid'
import { atEnd, closeAll } from './cleanup.js'
import { namesOf, watchTrace } from './event-reader.js'
import { callTool, getCall, getJson, postJson, startCall } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { startRedisProxy } from './redis-proxy.js'
import { type HubPlace, openPlace, runHub, sharedRedis, untilReady } from './running-hub.js'
import { answerText, openStream, sendResult, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

const eventsOf = async (url: string, traceId: string): Promise<unknown[]> => {
  const { body } = await getJson<{ items: JsonObject[] }>(url, `/traces/${traceId}/events`)
  return body.items.map(({ event }) => event)
}

/** Names of the jobs of all queues, whatever their state. */
async function jobsOf({ link, prefix }: HubPlace): Promise<string[]> {
  return (await link.commands.keys(`{${prefix}:queue}:*`)).filter((name) => /[0-9a-f]{12}$/.test(name))
}

describe('a call that was recorded and has no job', () => {
  test.concurrent('is put into its queue by the sweep', async () => {
    const agent = await serveScript([toolOf('work')])
    const hub = await runHub({ agents: { Agent: { url: agent.url } } })
    await hub.dispatcher.stop()
    const callId = await startCall(hub.url, 'work', {}, { traceId: 'lost-job' })
    expect(await jobsOf(hub)).toHaveLength(1)
    await hub.link.commands.del(...(await hub.link.commands.keys(`{${hub.prefix}:queue}:*`)))
    await hub.startDispatcher()
    await until(async () => (await getCall(hub.url, callId)).state === 'completed')
    expect(await eventsOf(hub.url, 'lost-job')).toEqual(['received', 'accepted', 'started', 'complete'])
    expect(agent.calls).toHaveLength(1)
  })
})

const TRACE = { tenant: 'local', owner: 'local', traceId: 'old-job' }

describe('a call that has ended and has a job', () => {
  test.concurrent('is not run again', async () => {
    const agent = await serveScript([toolOf('work')])
    const hub = await runHub({ agents: { Agent: { url: agent.url } } })
    const answer = await callTool(hub.url, 'work', {}, { traceId: 'old-job' })
    const queues = openAgentQueues(hub.link)
    atEnd(() => queues.close())
    await queues.add({ callId: String(answer.headers.get('SyncHub-Call-Id')), agent: 'Agent', trace: TRACE })
    await until(async () => (await jobsOf(hub)).length === 0)
    expect(await eventsOf(hub.url, 'old-job')).toEqual(['received', 'accepted', 'started', 'complete'])
    expect(agent.calls).toHaveLength(1)
  })

  test.concurrent('of which nobody knows anything ends as quietly', async () => {
    const hub = await runHub({ agents: { Agent: { url: (await serveScript([toolOf('work')])).url } } })
    const queues = openAgentQueues(hub.link)
    atEnd(() => queues.close())
    await queues.add({ callId: uuidv7(), agent: 'Agent', trace: TRACE })
    await until(async () => (await jobsOf(hub)).length === 0)
    expect(hub.logs.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
  })
})

describe('a queued call whose attempt was opened, and nobody was told', () => {
  test.concurrent('is run by who opened it, though it is not safe to repeat', async () => {
    const agent = await serveScript([toolOf('work')])
    const way = await startRedisProxy(sharedRedis())
    const agents = { Agent: { url: agent.url, mode: 'queued' } }
    const hub = await runHub({ agents, dispatcherRedisUrl: way.url })
    way.oncePassed('"attempt":1}', () => way.cut('all'))
    const { body } = await callTool(hub.url, 'work', {}, { traceId: 'lost-opening' })
    expect(body).toMatchObject({ result: {} })
    expect(await eventsOf(hub.url, 'lost-opening')).toEqual(['received', 'accepted', 'started', 'complete'])
    expect(agent.calls).toHaveLength(1)
  })
})

describe('a short call whose hub is gone', () => {
  /** Runs a call at a hub that then shows no sign of life any more, to its end. */
  async function loseHub(safeToRepeat: boolean) {
    const agent = await serveScript([toolOf('work')], () => undefined)
    const way = await startRedisProxy(sharedRedis())
    const agents = { Agent: { url: agent.url, mode: 'direct', safeToRepeat } }
    const stays = await runHub({ agents })
    const gone = await (await openPlace({ agents, prefix: stays.prefix, hubRedisUrl: way.url })).startHub()
    await untilReady(gone.url)
    void callTool(gone.url, 'work', {}, { traceId: 'orphan', timeoutMs: 100 }).catch(() => undefined)
    await until(() => agent.calls.length === 1)
    agent.behave(answerText)
    const callId = String(agent.calls[0]?.id)
    await way.goAway()
    // Its last sign of life runs out; here at once instead of after 15 s.
    const { commands } = stays.link
    await commands.del(...(await commands.keys(`${stays.prefix}:hub:*`)))
    await until(async () => (await getCall(stays.url, callId)).endedAt !== undefined)
    return { agent, call: await getCall(stays.url, callId), events: await eventsOf(stays.url, 'orphan') }
  }

  test.concurrent('is asked again where that is safe', async () => {
    const { agent, call, events } = await loseHub(true)
    expect(call).toMatchObject({ state: 'completed', attempt: 2 })
    expect(agent.calls.map(({ meta }) => meta.attempt)).toEqual([1, 2])
    expect(events).toEqual(['received', 'accepted', 'started', 'handed_back', 'started', 'complete'])
  })

  test.concurrent('has an unknown outcome where it is not', async () => {
    const { agent, call, events } = await loseHub(false)
    expect(call).toMatchObject({ state: 'unknown', attempt: 1, error: { data: { title: 'OUTCOME_UNKNOWN' } } })
    expect(agent.calls).toHaveLength(1)
    expect(events).toEqual(['received', 'accepted', 'started', 'unknown'])
  })
})

describe('word that is lost on its way', () => {
  test.concurrent('of an answer: the caller that waits looks at the log', async () => {
    const way = await startRedisProxy(sharedRedis())
    const agent = await serveScript([toolOf('work')], async (res, { id }) => {
      way.cut('subscribers')
      sendResult(res, id, { content: [], structuredContent: { done: true } })
    })
    const hub = await runHub({ agents: { Agent: { url: agent.url } }, hubRedisUrl: way.url })
    const answer = await callTool(hub.url, 'work', {}, { timeoutMs: 20_000 })
    expect(answer.body.result).toMatchObject({ structuredContent: { done: true } })
  })

  test.concurrent('of a cancel: the dispatcher looks at the log', async () => {
    const way = await startRedisProxy(sharedRedis())
    let aborted = 0
    const agent = await serveScript([toolOf('work')], (res) => {
      openStream(res)
      res.on('close', () => aborted++)
    })
    const hub = await runHub({ agents: { Agent: { url: agent.url } }, dispatcherRedisUrl: way.url })
    const callId = await startCall(hub.url, 'work')
    await until(() => agent.calls.length === 1)
    way.cut('subscribers')
    await postJson(hub.url, `/calls/${callId}/cancel`)
    await until(() => aborted === 1)
    await until(() => agent.cancelled.includes(callId))
    expect((await getCall(hub.url, callId)).state).toBe('cancelled')
  })

  test.concurrent('of new tools: the hub looks at the catalogue', async () => {
    const way = await startRedisProxy(sharedRedis())
    const agent = await serveScript([])
    const hub = await runHub({ agents: { Agent: { url: agent.url, mode: 'direct' } }, hubRedisUrl: way.url })
    expectProblem(await callTool(hub.url, 'work'), 'METHOD_NOT_FOUND', 'request-1')
    agent.offer([toolOf('work')])
    // Every notice is lost: the subscription is cut again and again.
    const cutting = setInterval(() => way.cut('subscribers'), 30)
    await until(async () => (await callTool(hub.url, 'work')).status === 200)
    clearInterval(cutting)
  })
})

describe('an index entry without a call', () => {
  test.concurrent('looks missing, and harms nobody', async () => {
    const hub = await runHub({ agents: { Agent: { url: (await serveScript([toolOf('work')])).url } } })
    const { commands, keys } = hub.link
    const callId = uuidv7()
    await commands.set(keys.callIndex(callId), 'local/local/dangling')
    await commands.zadd(keys.traces('local', 'local'), Date.now(), 'dangling')
    await commands.zadd(keys.openCalls, 0, callId)
    expectProblem(await getJson(hub.url, `/calls/${callId}`), 'NOT_FOUND')
    expectProblem(await getJson(hub.url, '/traces/dangling'), 'NOT_FOUND')
    expect((await getJson<{ items: unknown[] }>(hub.url, '/traces')).body.items).toEqual([])
    await until(async () => (await commands.zscore(keys.openCalls, callId)) === null)
  })
})

describe('a log that was lost while it was watched', () => {
  test.concurrent('begins anew, and the watcher is told so', async () => {
    const agent = await serveScript([toolOf('work')], () => undefined)
    const hub = await runHub({ agents: { Agent: { url: agent.url, mode: 'direct' } } })
    agent.behave(answerText)
    const traceId = `lost-${randomUUID()}`
    for (let at = 0; at < 2; at++) await callTool(hub.url, 'work', {}, { traceId })
    const reader = await watchTrace(hub.url, `${traceId}/events?follow=1`)
    await reader.count(8)
    const { commands, keys } = hub.link
    const { trace, log, calls } = keys.trace({ tenant: 'local', owner: 'local', traceId })
    await commands.del(trace, log, calls)
    await callTool(hub.url, 'work', {}, { traceId })
    const reset = await reader.next('reset')
    expect(reset.data).toMatchObject({ snapshot: { traceId, lastSeq: 4, callCount: 1 } })
    await callTool(hub.url, 'work', {}, { traceId })
    await reader.count(13)
    expect(namesOf(reader).slice(8)).toEqual(['reset', 'received', 'accepted', 'started', 'complete'])
    expect(reader.events.slice(9).map(({ data }) => data.seq)).toEqual([5, 6, 7, 8])
  })
})
