import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { type AgentList, isTerminalEvent, type JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { watchTrace } from './event-reader.js'
import { callTool, getCall, getJson, postJson, startCall } from './hub-requests.js'
import { type RunningHub, runHub } from './running-hub.js'
import { until } from './until.js'
import { startWorker, type WorkerAgent } from './worker-agent.js'

// Agents are processes.
jest.setTimeout(60_000)

/** What "at once" may take, on a machine that does other things too. */
const AT_ONCE_MS = 1500
const RACES = 60
const RACES_AT_A_TIME = 10

const KINDS = [
  { name: 'Native', connector: 'native', surface: 'native' },
  { name: 'Modern', connector: 'mcp-http', surface: 'mcp-http-modern' },
  { name: 'Legacy', connector: 'mcp-http', surface: 'mcp-http-legacy' },
  { name: 'Child', connector: 'mcp-stdio', surface: 'mcp-stdio-modern' },
  { name: 'Service', connector: 'tool-service', surface: 'tool-service' },
] as const

const workers = new Map<string, WorkerAgent>()
let hub: RunningHub

beforeAll(async () => {
  const agents: Record<string, JsonObject> = {}
  for (const { name, connector, surface } of KINDS) {
    const worker = await startWorker(connector, surface)
    workers.set(name, worker)
    agents[name] = { ...worker.reach, concurrency: RACES_AT_A_TIME }
    // A queue in which a call can wait behind another.
    agents[`${name}Single`] = { ...worker.reach, concurrency: 1 }
    if (connector !== 'mcp-stdio') agents[`${name}Direct`] = { ...worker.reach, mode: 'direct' }
  }
  hub = await runHub({ agents, streams: { lingerMs: 50 } })
  await until(async () => {
    const { body } = await getJson<AgentList>(hub.url, '/agents')
    return body.agents.length === Object.keys(agents).length && body.agents.every(({ available }) => available)
  })
}, 60_000)

afterAll(closeAll, 60_000)

const cancel = async (callId: string) => (await postJson<JsonObject>(hub.url, `/calls/${callId}/cancel`)).body

const noted = async (name: string, line: string) => (await workers.get(name)?.notes())?.includes(line) === true

/** How the call ended, as its record, the cancel's answer, its trace and its caller tell; they must say the same. */
async function agreedEnd(callId: string, traceId: string, told: JsonObject): Promise<string> {
  const { state } = await getCall(hub.url, callId)
  const watcher = await watchTrace(hub.url, `${traceId}/events?callId=${callId}`)
  await watcher.over
  const ends = watcher.events.filter(({ event }) => isTerminalEvent(event)).map(({ event }) => event)
  expect([ends, told.state]).toEqual([[state === 'completed' ? 'complete' : state], state])
  return state
}

describe.each(KINDS)('a cancel of a call that goes to its agent over $connector, $surface', ({ name, connector }) => {
  const modes = connector === 'mcp-stdio' ? ['queued'] : ['queued', 'direct']

  test.each(modes)('aborts its connection at once, and everybody is told of the same end: %s', async (mode) => {
    const label = `${name}-${mode}`
    const agent = mode === 'direct' ? `${name}Direct` : name
    const answer = callTool(hub.url, `${agent}.wait`, { label }, { traceId: label })
    await until(() => noted(name, `started ${label}`))
    const { body } = await getJson<{ calls: { callId: string }[] }>(hub.url, `/traces/${label}`)
    const callId = body.calls[0]?.callId ?? ''
    const beganAtMs = performance.now()
    const both = await Promise.all([cancel(callId), cancel(callId)])
    expect(both.filter(({ cancelled }) => cancelled === true)).toHaveLength(1)
    expect((await answer).body.error?.data).toMatchObject({ title: 'CANCELLED', callId })
    await until(() => noted(name, `aborted ${label}`))
    expect(performance.now() - beganAtMs).toBeLessThan(AT_ONCE_MS)
    const again = await cancel(callId)
    expect(again).toEqual({ callId, state: 'cancelled', cancelled: false })
    expect(await agreedEnd(callId, label, again)).toBe('cancelled')
  })

  test('keeps one that waits in the queue from the agent', async () => {
    const [first, second] = [`${name}-first`, `${name}-second`]
    const running = await startCall(hub.url, `${name}Single.wait`, { label: first })
    await until(() => noted(name, `started ${first}`))
    const waiting = await startCall(hub.url, `${name}Single.wait`, { label: second }, { traceId: second })
    const told = await cancel(waiting)
    expect(told).toEqual({ callId: waiting, state: 'cancelled', cancelled: true })
    await cancel(running)
    // What comes behind it is answered, so that it has had its turn.
    expect((await callTool(hub.url, `${name}Single.say`)).body.result?.isError).toBe(false)
    expect(await noted(name, `started ${second}`)).toBe(false)
    expect(await agreedEnd(waiting, second, told)).toBe('cancelled')
  })

  test('finds one that has ended as it is, however often', async () => {
    const traceId = `${name}-after`
    const callId = String((await callTool(hub.url, `${name}.say`, {}, { traceId })).headers.get('SyncHub-Call-Id'))
    const expected = { callId, state: 'completed', cancelled: false }
    expect([await cancel(callId), await cancel(callId)]).toEqual([expected, expected])
    expect(await agreedEnd(callId, traceId, expected)).toBe('completed')
  })

  test('and its answer that race each other leave one end', async () => {
    const raceOnce = async (at: number): Promise<string> => {
      const traceId = `${name}-race-${at}`
      const callId = await startCall(hub.url, `${name}.steps`, { steps: randomInt(1, 20), label: 'x' }, { traceId })
      await delay(randomInt(40))
      const told = await cancel(callId)
      const state = await agreedEnd(callId, traceId, told)
      expect(told.cancelled).toBe(state === 'cancelled')
      return state
    }
    const states: string[] = []
    for (let at = 0; at < RACES; at += RACES_AT_A_TIME) {
      const round = Array.from({ length: RACES_AT_A_TIME }, (_, next) => raceOnce(at + next))
      states.push(...(await Promise.all(round)))
    }
    expect(states.filter((state) => state !== 'completed' && state !== 'cancelled')).toEqual([])
    const jobs = () => hub.link.commands.keys(`{${hub.prefix}:queue}:agent-${name}:*-*`)
    await until(async () => (await jobs()).length === 0)
  })
})
