import { afterAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { startApp } from './child-process.js'
import { closeAll } from './cleanup.js'
import { callFrame, getCall, getJson, postJson, postRpc, startCall } from './hub-requests.js'
import { openPlace, untilReady } from './running-hub.js'
import { type ScriptedAgent, sendResult, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

/** The log of a call that was given up while its process stood still: the answer is found late, and ends nothing. */
const FOUND_LATE = ['received', 'accepted', 'started', 'unknown', 'resolved']

/** An agent that answers when the test says so. */
async function serveLate(): Promise<{ readonly agent: ScriptedAgent; answerAll(): void }> {
  const answers: (() => void)[] = []
  const agent = await serveScript([toolOf('work'), toolOf('short')], (res, { id }) => {
    answers.push(() => sendResult(res, id, { content: [], structuredContent: { done: true } }))
  })
  return { agent, answerAll: () => void answers.splice(0).map((answer) => answer()) }
}

async function eventsOf(url: string, traceId: string): Promise<readonly string[]> {
  const { body } = await getJson<{ items: { event: string }[] }>(url, `/traces/${traceId}/events`)
  return body.items.map(({ event }) => event)
}

/** The answer is kept for whoever looks, and the call stays what its caller was told. */
async function expectLate(url: string, callId: string): Promise<void> {
  const call = await getCall(url, callId)
  expect(call).toMatchObject({ state: 'unknown', late: { result: { done: true } }, resolution: { by: 'Agent' } })
  expect(call).not.toHaveProperty('result')
}

describe('a process that was frozen (SIGSTOP) for so long that its calls were given up', () => {
  test.concurrent('ends nothing by the answers that it finds when it wakes: a dispatcher', async () => {
    const { agent, answerAll } = await serveLate()
    const agents = { Agent: { url: agent.url } }
    const place = await openPlace({ agents })
    const environment = { REDIS_PREFIX: place.prefix }
    const { url } = await place.startHub()
    const frozen = await startApp('dispatcher', { agents }, environment)
    await frozen.logged('dispatcher takes calls')
    await untilReady(url)
    const lost = await startCall(url, 'work', {}, { traceId: 'lost' })
    const cancelled = await startCall(url, 'work', {}, { traceId: 'cancelled' })
    await until(() => agent.calls.length === 2)
    frozen.child.kill('SIGSTOP')
    await postJson<JsonObject>(url, `/calls/${cancelled}/cancel`)
    await startApp('dispatcher', { agents }, environment)
    answerAll()
    await until(async () => (await getCall(url, lost)).state === 'unknown')
    frozen.child.kill('SIGCONT')
    // It ends in good order only once its runs have come to their ends.
    expect(await frozen.end('SIGTERM')).toBe(0)
    expect(await eventsOf(url, 'lost')).toEqual(FOUND_LATE)
    expect(await eventsOf(url, 'cancelled')).toEqual(['received', 'accepted', 'started', 'cancelled'])
    await expectLate(url, lost)
    const record = await getCall(url, cancelled)
    expect(record).not.toHaveProperty('result')
    expect(record).not.toHaveProperty('late')
    expect(agent.calls).toHaveLength(2)
  }, 60_000)

  test.concurrent('ends nothing by the answer that it finds when it wakes: a hub, whose caller is told the same', async () => {
    const { agent, answerAll } = await serveLate()
    const agents = { Agent: { url: agent.url, mode: 'direct' } }
    const place = await openPlace({ agents })
    const environment = { REDIS_PREFIX: place.prefix }
    const { url } = await place.startHub()
    await place.startDispatcher()
    const frozen = await startApp('hub', { agents }, environment)
    const frozenUrl = String((await frozen.logged('hub is listening')).url)
    await Promise.all([untilReady(url), untilReady(frozenUrl)])
    const answer = postRpc(frozenUrl, callFrame('short', {}, { traceId: 'direct' }))
    await until(() => agent.calls.length === 1)
    frozen.child.kill('SIGSTOP')
    answerAll()
    const callId = String(agent.calls[0]?.id)
    await until(async () => (await getCall(url, callId)).state === 'unknown')
    frozen.child.kill('SIGCONT')
    const told = (await answer).body
    expect(told.result).toBeUndefined()
    expect(told.error?.data).toMatchObject({ title: 'OUTCOME_UNKNOWN', callId })
    expect(await frozen.end('SIGTERM')).toBe(0)
    expect(await eventsOf(url, 'direct')).toEqual(FOUND_LATE)
    await expectLate(url, callId)
    expect(agent.calls).toHaveLength(1)
  }, 60_000)
})
