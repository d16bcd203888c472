import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from '@jest/globals'
import { type EventName, isTerminalEvent, type JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { type Answer, callTool, getCall, getJson } from './hub-requests.js'
import { startRedisProxy } from './redis-proxy.js'
import { openPlace, type RunningHub, runHub, sharedRedis } from './running-hub.js'
import { type AgentRequest, sendResult, serveScript, toolOf } from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

/** Longer than the lock that a dispatcher holds on a call. */
const OUTAGE_MS = 6000
/** How long each caller waits at most. */
const WAIT_MS = 25_000
/** What an answer may take beyond that, on a busy machine. */
const SLACK_MS = 3000
const CALLS_OF_EACH = 4

interface Held {
  readonly call: AgentRequest
  answer(): void
}

/** Two tools of an agent that answers when it is told to: one that may be asked again, and one that may not. */
async function serveHolding() {
  const held: Held[] = []
  const agent = await serveScript([toolOf('safe'), toolOf('once')], (res, call) => {
    held.push({
      call,
      answer: () =>
        sendResult(res, call.id, { content: [], structuredContent: { attempt: Number(call.meta.attempt) } }),
    })
  })
  const tools = { safe: { safeToRepeat: true }, once: { safeToRepeat: false } }
  return { held, agents: { Agent: { url: agent.url, mode: 'queued', concurrency: 20, tools } } }
}

/** Callers that wait, each for a call in a trace of its own; and how long each of them waited. */
function callAll({ url }: RunningHub) {
  const names = Array.from({ length: CALLS_OF_EACH }, () => ['safe', 'once']).flat()
  return names.map((name, at) => {
    const traceId = `${name}-${at}`
    const sentAtMs = performance.now()
    const answer = callTool(url, name, {}, { traceId, timeoutMs: WAIT_MS })
    return { name, traceId, answer: answer.then((got) => ({ got, waitedMs: performance.now() - sentAtMs })) }
  })
}

const callIdOf = ({ headers }: Answer) => String(headers.get('SyncHub-Call-Id'))

async function eventsOf({ url }: RunningHub, traceId: string): Promise<EventName[]> {
  const { body } = await getJson<{ items: JsonObject[] }>(url, `/traces/${traceId}/events`)
  return body.items.map(({ event }) => event as EventName)
}

/** Exactly one ending, and nothing behind it but what became of a call that was given up. */
function expectOneEnding(events: readonly EventName[]): void {
  expect(events.filter(isTerminalEvent)).toHaveLength(1)
  expect(['complete', 'unknown', 'resolved']).toContain(events.at(-1))
}

describe('a dispatcher that cannot reach Redis for longer than its locks last, beside one that can', () => {
  test.concurrent('loses its calls to that one: asked again where that is safe, else given up; each ends once', async () => {
    const { held, agents } = await serveHolding()
    const way = await startRedisProxy(sharedRedis())
    const hub = await runHub({ agents, dispatcherRedisUrl: way.url })
    const callers = callAll(hub)
    await until(() => held.length === callers.length)
    const other = await openPlace({ agents, prefix: hub.prefix })
    await other.startDispatcher()
    way.freeze()
    // The other one asks again what may be asked again, and gives up the rest.
    await until(() => held.length === callers.length + CALLS_OF_EACH)
    for (const { answer } of held.slice(callers.length)) answer()
    const ends = await Promise.all(
      callers.map(async ({ name, traceId, answer }) => ({ name, traceId, ...(await answer) })),
    )
    // Only now the first one hears of it, and of what its own runs have brought.
    way.thaw()
    for (const { answer } of held.slice(0, callers.length)) answer()
    for (const { name, traceId, got, waitedMs } of ends) {
      expect(waitedMs).toBeLessThan(WAIT_MS + SLACK_MS)
      const call = await getCall(hub.url, name === 'safe' ? callIdOf(got) : String(got.body.error?.data.callId))
      if (name === 'once') await until(async () => (await eventsOf(hub, traceId)).at(-1) === 'resolved')
      expectOneEnding(await eventsOf(hub, traceId))
      expect([call.state, call.attempt]).toEqual(name === 'safe' ? ['completed', 2] : ['unknown', 1])
      expect(name === 'safe' ? got.body.result?.structuredContent : got.body.error?.data.title).toEqual(
        name === 'safe' ? { attempt: 2 } : 'OUTCOME_UNKNOWN',
      )
    }
    // Never twice what may run once only.
    const asked = held.filter(({ call }) => call.name === 'once').map(({ call }) => call.id)
    expect(new Set(asked).size).toBe(asked.length)
  }, 60_000)
})

describe('two dispatchers and a hub that all lose Redis for longer than locks last', () => {
  test.concurrent('end every call once, and no caller waits beyond its bound', async () => {
    const { held, agents } = await serveHolding()
    const way = await startRedisProxy(sharedRedis())
    const hub = await runHub({ agents, hubRedisUrl: way.url, dispatcherRedisUrl: way.url })
    await hub.startDispatcher()
    const callers = callAll(hub)
    await until(() => held.length === callers.length)
    way.freeze()
    // Half of the agents' answers come while nobody can record them.
    for (const { answer } of held.slice(0, callers.length / 2)) answer()
    await delay(OUTAGE_MS)
    way.thaw()
    for (const { answer } of held.slice(callers.length / 2)) answer()
    const answering = setInterval(() => {
      for (const { answer } of held.splice(callers.length)) answer()
    }, 50)
    try {
      for (const { traceId, answer } of callers) {
        const { waitedMs } = await answer
        expect(waitedMs).toBeLessThan(WAIT_MS + SLACK_MS)
        await until(async () => (await eventsOf(hub, traceId)).some(isTerminalEvent))
        expectOneEnding(await eventsOf(hub, traceId))
      }
    } finally {
      clearInterval(answering)
    }
  }, 90_000)
})
