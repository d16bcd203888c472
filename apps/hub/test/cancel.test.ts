import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { namesOf, watchTrace } from './event-reader.js'
import { callTool, getCall, getJson, postJson, postRpc, request, startCall } from './hub-requests.js'
import { expectErrorObject, expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import {
  type AgentRequest,
  openStream,
  type ScriptedAgent,
  sendResult,
  serveScript,
  toolOf,
  writeEvent,
} from './scripted-agent.js'
import { until } from './until.js'

let agent: ScriptedAgent
let busy: ScriptedAgent
let hub: RunningHub

beforeAll(async () => {
  agent = await serveScript([toolOf('work'), toolOf('short')])
  busy = await serveScript([toolOf('queue')])
  hub = await runHub({
    agents: {
      Agent: { url: agent.url, concurrency: 50, tools: { short: { mode: 'direct' } } },
      Busy: { url: busy.url, concurrency: 1 },
    },
    streams: { lingerMs: 200 },
  })
})

afterAll(closeAll)

const cancel = async (callId: string, reason?: string) =>
  (await postJson<JsonObject>(hub.url, `/calls/${callId}/cancel`, reason === undefined ? {} : { reason })).body

/** Has the agent begin a stream and never end it; says whether its connection was aborted. */
function workForEver(on: ScriptedAgent): { aborted: number } {
  const seen = { aborted: 0 }
  on.behave((res) => {
    openStream(res)
    writeEvent(res, 'progress', { progress: 1 })
    res.on('close', () => {
      seen.aborted++
    })
  })
  return seen
}

describe('cancelling a call', () => {
  test('that runs aborts the agent, and every watcher sees one cancelled', async () => {
    const seen = workForEver(agent)
    const callId = await startCall(hub.url, 'work', {}, { traceId: 'running' })
    const watchers = await Promise.all(Array.from({ length: 5 }, () => watchTrace(hub.url, 'running/events')))
    await Promise.all(watchers.map((watcher) => watcher.next('progress')))
    expect(await cancel(callId, 'not wanted any more')).toEqual({ callId, state: 'cancelled', cancelled: true })
    await Promise.all(watchers.map(({ over }) => over))
    for (const watcher of watchers) {
      expect(namesOf(watcher)).toEqual(['received', 'accepted', 'started', 'progress', 'cancelled', 'end'])
    }
    const { data } = watchers[0]?.events.find(({ event }) => event === 'cancelled') ?? {}
    expectErrorObject(data?.error as Parameters<typeof expectErrorObject>[0], 'CANCELLED')
    expect(data?.error).toMatchObject({ message: 'Cancelled: the call was cancelled: not wanted any more' })
    await until(() => seen.aborted === 1)
    await until(() => agent.cancelled.includes(callId))
    expect(await getCall(hub.url, callId)).toMatchObject({ state: 'cancelled', endedAt: expect.any(String) })
  })

  test('that waits takes it out of its queue: the agent never hears of it', async () => {
    workForEver(busy)
    const first = await startCall(hub.url, 'queue')
    await until(() => busy.calls.length === 1)
    const second = await startCall(hub.url, 'queue', {}, { traceId: 'waiting' })
    expect(await cancel(second)).toEqual({ callId: second, state: 'cancelled', cancelled: true })
    await cancel(first)
    const third = await startCall(hub.url, 'queue')
    await until(() => busy.calls.length === 2)
    expect(busy.calls.map(({ id }) => id)).toEqual([first, third])
    const watcher = await watchTrace(hub.url, 'waiting/events')
    await watcher.over
    expect(namesOf(watcher)).toEqual(['received', 'accepted', 'cancelled', 'end'])
    await cancel(third)
  })

  test('that a short tool works on aborts it too, and answers its caller', async () => {
    const seen = workForEver(agent)
    const answer = callTool(hub.url, 'short', {}, { traceId: 'short' })
    await until(() => agent.calls.at(-1)?.name === 'short')
    const callId = String(agent.calls.at(-1)?.id)
    await cancel(callId)
    expectProblem(await answer, 'CANCELLED', 'request-1')
    expect((await answer).body.error?.data).toMatchObject({ callId, traceId: 'short' })
    await until(() => seen.aborted === 1)
    await until(() => agent.cancelled.includes(callId))
  })

  test('twice, or after its end, answers the state that stands', async () => {
    workForEver(agent)
    const callId = await startCall(hub.url, 'work', {}, { traceId: 'twice' })
    const both = await Promise.all([cancel(callId), cancel(callId)])
    expect(both.filter(({ cancelled }) => cancelled === true)).toHaveLength(1)
    expect(await cancel(callId)).toEqual({ callId, state: 'cancelled', cancelled: false })
    agent.behave((res, { id }) => sendResult(res, id, { content: [] }))
    const done = String((await callTool(hub.url, 'short')).headers.get('SyncHub-Call-Id'))
    expect(await cancel(done)).toEqual({ callId: done, state: 'completed', cancelled: false })
    agent.behave((res, { id }) => sendResult(res, id, { content: [], isError: true }))
    const failed = String((await callTool(hub.url, 'short', {}, {})).headers.get('SyncHub-Call-Id'))
    expect(await cancel(failed)).toEqual({ callId: failed, state: 'completed', isError: true, cancelled: false })
    const { body } = await getJson<{ items: JsonObject[] }>(hub.url, '/traces/twice/events?event=cancelled')
    expect(body.items).toHaveLength(1)
  })

  test('over calls/cancel is the same', async () => {
    workForEver(agent)
    const callId = await startCall(hub.url, 'work')
    const answer = await postRpc(hub.url, request('calls/cancel', { callId, reason: 'no' }))
    expect(answer.body.result).toEqual({ callId, state: 'cancelled', cancelled: true })
  })

  test.each([
    [{ reason: 7 }, 'reason'],
    [{ reason: 'x'.repeat(1001) }, 'reason'],
    [[], undefined],
  ])('refuses a body that is not as it should be', async (body, path) => {
    const callId = await startCall(hub.url, 'work')
    const answer = await postJson(hub.url, `/calls/${callId}/cancel`, body)
    expectProblem(answer, 'INVALID_PARAMS')
    expect(answer.body.error?.data.path).toBe(path)
    await cancel(callId, 'x'.repeat(1000))
  })

  test('needs no body', async () => {
    workForEver(agent)
    const callId = await startCall(hub.url, 'work')
    const response = await fetch(`${hub.url}/calls/${callId}/cancel`, { method: 'POST' })
    expect(await response.json()).toMatchObject({ cancelled: true })
  })

  test('in a race with its completion leaves exactly one ending, the same for everybody', async () => {
    const RACES = 100
    agent.behave((res, { id }: AgentRequest) => {
      setTimeout(() => sendResult(res, id, { content: [] }), 10 + Math.random() * 20)
    })
    const ids = await Promise.all(
      Array.from({ length: RACES }, (_, at) => startCall(hub.url, 'work', {}, { traceId: `race-${at}` })),
    )
    const answers = await Promise.all(
      ids.map(async (callId) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
        return cancel(callId)
      }),
    )
    const states = await Promise.all(
      ids.map(async (callId, at) => {
        const watcher = await watchTrace(hub.url, `race-${at}/events?event=complete,failed,refused,cancelled,unknown`)
        await watcher.over
        expect(namesOf(watcher)).toHaveLength(2)
        const { state } = await getCall(hub.url, callId)
        expect(namesOf(watcher)[0]).toBe(state === 'completed' ? 'complete' : 'cancelled')
        expect(answers[at]).toEqual({ callId, state, cancelled: state === 'cancelled' })
        return state
      }),
    )
    expect(new Set(states)).toEqual(new Set(['completed', 'cancelled']))
  }, 60_000)
})
