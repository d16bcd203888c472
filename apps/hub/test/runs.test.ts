import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { type EventReader, namesOf, watchTrace } from './event-reader.js'
import { callTool, getCall, getJson, startCall } from './hub-requests.js'
import { expectErrorObject, expectProblem } from './problem.js'
import { openPlace, type RunningHub, runHub } from './running-hub.js'
import {
  answerText,
  type Behaviour,
  openStream,
  type ScriptedAgent,
  sendFailure,
  serveScript,
  toolOf,
  writeEvent,
} from './scripted-agent.js'
import { until } from './until.js'

afterAll(closeAll, 60_000)

interface Setup {
  readonly agent: ScriptedAgent
  readonly hub: RunningHub
  /** Runs the tool once and reads its trace to the end. */
  run(meta?: JsonObject): Promise<EventReader>
}

/** A hub whose one agent behaves so, with this policy. */
async function setUp(policy: JsonObject, behaviour?: Behaviour): Promise<Setup> {
  const agent = await serveScript([toolOf('work')], behaviour)
  const hub = await runHub({ agents: { Agent: { url: agent.url, retryDelayMs: 10, lateAnswerMs: 100, ...policy } } })
  return {
    agent,
    hub,
    async run() {
      await callTool(hub.url, 'work', {}, { traceId: 'run', timeoutMs: 20_000 })
      const reader = await watchTrace(hub.url, 'run/events')
      await reader.over
      return reader
    },
  }
}

const drop: Behaviour = (res) => res.destroy()
/** Does one thing after the other, the last one for ever. */
function inTurn(...behaviours: Behaviour[]): Behaviour {
  let turn = 0
  return (res, call) => behaviours[Math.min(turn++, behaviours.length - 1)]?.(res, call)
}

const endingOf = (reader: EventReader) => reader.events.at(-2)
const errorOf = (reader: EventReader) => endingOf(reader)?.data.error as Parameters<typeof expectErrorObject>[0]

describe('a connection that is lost', () => {
  /** Loses it once the hub has told of the progress that came over it. */
  const loseAfterProgress =
    ({ url }: RunningHub): Behaviour =>
    async (res, { meta }) => {
      openStream(res)
      writeEvent(res, 'progress', { progress: 60, total: 100 })
      await (await watchTrace(url, `${String(meta.traceId)}/events`)).next('progress')
      res.destroy()
    }

  test.concurrent.each(['queued', 'direct'])(
    'is asked again with the same callId where the configuration says so: %s',
    async (mode) => {
      const { agent, hub, run } = await setUp({ mode, safeToRepeat: true })
      agent.behave(
        inTurn(loseAfterProgress(hub), async (res, call) => {
          openStream(res)
          writeEvent(res, 'progress', { progress: 20, total: 100 })
          writeEvent(res, 'complete', { result: { attempt: call.meta.attempt } })
          res.end()
        }),
      )
      const reader = await run()
      expect(namesOf(reader)).toEqual([
        ...['received', 'accepted', 'started', 'progress'],
        ...['retrying', 'started', 'progress', 'complete', 'end'],
      ])
      expect(reader.events.map(({ data }) => data.attempt)).toMatchObject([
        ...[undefined, undefined, 1, undefined],
        ...[1, 2, undefined, undefined, undefined],
      ])
      const tokens = reader.events.map(({ data }) => data.token).filter((token) => token !== undefined)
      expect(tokens).toEqual(['prg-01', 'prg-02', 'prg-03'])
      expect(endingOf(reader)?.data.result).toEqual({ attempt: 2 })
      expect(agent.calls.map(({ meta }) => [meta.callId, meta.attempt])).toEqual([
        [agent.calls[0]?.id, 1],
        [agent.calls[0]?.id, 2],
      ])
    },
  )

  test.concurrent.each(['queued', 'direct'])(
    'leaves the outcome unknown where a repeat is not safe: %s',
    async (mode) => {
      const { agent, hub, run } = await setUp({ mode })
      agent.behave(loseAfterProgress(hub))
      const answer = await callTool(hub.url, 'work', {}, { traceId: 'direct' })
      expectProblem(answer, 'OUTCOME_UNKNOWN', 'request-1')
      expect(answer.body.error?.data.nextStep).toContain('may or may not have acted')
      const reader = await run()
      expect(namesOf(reader)).toEqual(['received', 'accepted', 'started', 'progress', 'unknown', 'end'])
      expectErrorObject(errorOf(reader), 'OUTCOME_UNKNOWN')
      expect(await getCall(hub.url, String(reader.events[0]?.data.callId))).toMatchObject({
        state: 'unknown',
        attempt: 1,
      })
      expect(agent.calls).toHaveLength(2)
    },
  )

  test.concurrent('is asked again only so often, with pauses that grow', async () => {
    const { agent, run } = await setUp({ safeToRepeat: true, maxAttempts: 4, retryDelayMs: 20 }, drop)
    const reader = await run()
    const retrying = reader.events.filter(({ event }) => event === 'retrying')
    expect(retrying.map(({ data }) => [data.attempt, data.delayMs])).toEqual([
      [1, 20],
      [2, 40],
      [3, 80],
    ])
    expect(String(retrying[0]?.data.reason)).toContain('lost')
    expect(namesOf(reader).slice(-2)).toEqual(['unknown', 'end'])
    expect(agent.calls).toHaveLength(4)
  })
})

describe('an agent that surely was not asked', () => {
  const busy: Behaviour = (res, { id }) =>
    sendFailure(res, id, { code: -31009, message: 'x', data: { detail: 'the agent already works on 256 calls' } }, 503)

  test.concurrent('is asked again, whatever its tool', async () => {
    const { agent, run } = await setUp({}, inTurn(busy, busy, answerText))
    const reader = await run()
    expect(namesOf(reader).slice(-2)).toEqual(['complete', 'end'])
    expect(agent.calls.map(({ meta }) => meta.attempt)).toEqual([1, 2, 3])
    expect(reader.events.find(({ event }) => event === 'retrying')?.data.reason).toBe(
      'the agent already works on 256 calls',
    )
  })

  test.concurrent('in the end leaves a failure that says that nothing was done', async () => {
    const { hub, run } = await setUp({ maxAttempts: 2 }, busy)
    const reader = await run()
    expectErrorObject(errorOf(reader), 'AGENT_UNAVAILABLE')
    expect(endingOf(reader)?.event).toBe('failed')
    expect(errorOf(reader)?.data.nextStep).toContain('Nothing was done')
    expect(await getCall(hub.url, String(reader.events[0]?.data.callId))).toMatchObject({ state: 'failed', attempt: 2 })
  })

  const busyAsAnAnswer: Behaviour = (res, { id }) => sendFailure(res, id, { code: -31009, message: 'no room' }, 200)

  test.concurrent.each([
    ['refuses the connection', busy],
    ['answers so', busyAsAnAnswer],
  ])('does not say so when an earlier attempt may have acted and it %s', async (_how, behaviour) => {
    const { run } = await setUp({ safeToRepeat: true, maxAttempts: 2 }, inTurn(drop, behaviour))
    const reader = await run()
    expect(endingOf(reader)?.event).toBe('unknown')
    expectErrorObject(errorOf(reader), 'OUTCOME_UNKNOWN')
  })

  test.concurrent('fails a short tool at once', async () => {
    const { agent, hub } = await setUp({ mode: 'direct', retryDelayMs: 60_000 }, busy)
    expectProblem(await callTool(hub.url, 'work'), 'AGENT_UNAVAILABLE', 'request-1')
    expect(agent.calls).toHaveLength(1)
  })
})

describe('the limits of an attempt', () => {
  /** Reports progress `steps` times at a pace, then falls silent. */
  const work =
    (steps: number, paceMs: number, event = 'progress'): Behaviour =>
    async (res) => {
      openStream(res)
      for (let at = 1; at <= steps && !res.destroyed; at++) {
        if (event === 'comment') res.write(': alive\n\n')
        else writeEvent(res, event, { progress: at })
        await delay(paceMs)
      }
    }

  test.concurrent('let a call go on as long as it reports progress, and end it once it is silent', async () => {
    const { agent, hub, run } = await setUp({ silenceTimeoutMs: 800 }, work(8, 150))
    const reader = await run()
    expect(namesOf(reader).filter((name) => name === 'progress')).toHaveLength(8)
    expect(endingOf(reader)?.event).toBe('unknown')
    expect(errorOf(reader)?.message).toBe('Outcome Unknown: Agent was silent for 800 ms')
    await until(() => agent.calls[0]?.req.socket.destroyed ?? false)
    expect(hub.logs.join()).not.toContain('"level":50')
  })

  test.concurrent.each([
    ['a comment is no sign of life', 'comment', 'unknown'],
    ['progress that is refused is one', 'progress', 'complete'],
    ['another event is one', 'note', 'complete'],
  ])('know what shows that an agent works: %s', async (_what, event, ending) => {
    const { run } = await setUp({ silenceTimeoutMs: 700 }, async (res) => {
      openStream(res)
      for (let at = 0; at < 7 && !res.destroyed; at++) {
        if (event === 'comment') res.write(': alive\n\n')
        else writeEvent(res, event, { progress: 1 })
        await delay(150)
      }
      writeEvent(res, 'complete', { result: {} })
      res.end()
    })
    expect(endingOf(await run())?.event).toBe(ending)
  })

  test.concurrent('end a call that reports progress for ever, once, also where a repeat is safe', async () => {
    const { agent, run } = await setUp(
      { silenceTimeoutMs: 5000, maxDurationMs: 300, safeToRepeat: true },
      work(1000, 20),
    )
    const reader = await run()
    expect(endingOf(reader)?.event).toBe('unknown')
    expect(errorOf(reader)?.message).toBe('Outcome Unknown: Agent did not end within 300 ms')
    expect(agent.calls).toHaveLength(1)
    const [call] = agent.calls
    expect(Date.parse(String(call?.meta.deadline)) - Date.parse(String(reader.events[2]?.data.at))).toBeLessThan(600)
    await until(() => call?.req.socket.destroyed ?? false)
  })

  test.concurrent('count anew for each attempt', async () => {
    const { agent, run } = await setUp({ silenceTimeoutMs: 150, safeToRepeat: true, maxAttempts: 3 }, work(1, 10))
    const reader = await run()
    expect(agent.calls).toHaveLength(3)
    expect(namesOf(reader).filter((name) => name === 'retrying')).toHaveLength(2)
    expect(endingOf(reader)?.event).toBe('unknown')
  })

  test.concurrent('of a tool are its own', async () => {
    const { run } = await setUp(
      { silenceTimeoutMs: 50, tools: { work: { silenceTimeoutMs: 5000 } } },
      async (res, call) => {
        // Longer than the other tools of the agent may be silent.
        await delay(200)
        answerText(res, call)
      },
    )
    expect(endingOf(await run())?.event).toBe('complete')
  })
})

describe('the longest wait in a queue', () => {
  test.concurrent('ends a call that no dispatcher came for in time: it is not started any more', async () => {
    const agent = await serveScript([toolOf('work')])
    const policy = { url: agent.url, queueWaitMs: 150, tools: { work: {} } }
    const first = await runHub({ agents: { Agent: policy } })
    await first.dispatcher.stop()
    const callId = await startCall(first.url, 'work', {}, { traceId: 'late' })
    // Longer than it may wait.
    await delay(200)
    await first.startDispatcher()
    await until(async () => (await getCall(first.url, callId)).state === 'failed')
    const { body } = await getJson<{ items: JsonObject[] }>(first.url, '/traces/late/events')
    expect(body.items.map(({ event }) => event)).toEqual(['received', 'accepted', 'failed'])
    const call = await getCall(first.url, callId)
    expectErrorObject(call.error, 'AGENT_UNAVAILABLE')
    expect(call.error?.message).toMatch(/waited \d+ ms for Agent and was not started/)
    expect(agent.calls).toEqual([])
  })

  test.concurrent('ends a call behind others that take too long', async () => {
    const agent = await serveScript([toolOf('work'), toolOf('wait')], () => undefined)
    // The call in front has all the time that a busy machine takes to begin with it.
    const policy = { url: agent.url, concurrency: 1, tools: { wait: { queueWaitMs: 300 } } }
    const hub = await runHub({ agents: { Agent: policy } })
    const running = await startCall(hub.url, 'work')
    await until(() => agent.calls.length === 1)
    const waiting = await callTool(hub.url, 'wait', {}, { timeoutMs: 20_000 })
    expectProblem(waiting, 'AGENT_UNAVAILABLE', 'request-1')
    expect((await getCall(hub.url, running)).state).toBe('running')
    expect(agent.calls).toHaveLength(1)
  })

  test.concurrent('is long enough for a call to outlive that no dispatcher runs', async () => {
    const agent = await serveScript([toolOf('work')])
    const place = await openPlace({ agents: { Agent: { url: agent.url, tools: { work: {} } } } })
    const dispatcher = await place.startDispatcher()
    const { url } = await place.startHub()
    await until(async () => (await fetch(`${url}/readyz`)).ok)
    await dispatcher.stop()
    const callId = await startCall(url, 'work')
    expect((await getCall(url, callId)).state).toBe('queued')
    await place.startDispatcher()
    await until(async () => (await getCall(url, callId)).state === 'completed')
  })
})
