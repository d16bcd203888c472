import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CallView } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { namesOf, postForStream, watchTrace } from './event-reader.js'
import {
  callFrame,
  callTool,
  getCall,
  getJson,
  metaOf,
  postRpc,
  postText,
  type RpcBody,
  request,
} from './hub-requests.js'
import { expectErrorObject, expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { echoTool, serveTools, steeredTool } from './served-agent.js'
import { until } from './until.js'

const work = steeredTool('work')
const quick = steeredTool('quick')
let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([work.tool, quick.tool, echoTool])
  const short = { mode: 'direct' }
  hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { quick: short, echo: short } } },
    limits: { maxWaitMs: 2000, defaultWaitMs: 1000 },
  })
})

afterAll(closeAll)

const isOver = async (callId: unknown) => (await getCall(hub.url, String(callId))).endedAt !== undefined

describe('a short tool', () => {
  test('answers JSON with its call, its trace and the time that it took', async () => {
    const answer = await callTool(hub.url, 'echo', { city: 'Seoul' }, { traceId: 'short', callerAgent: 'SyncVerse' })
    expect(answer.status).toBe(200)
    expect(answer.body).toStrictEqual({
      jsonrpc: '2.0',
      id: 'request-1',
      result: {
        content: [{ type: 'text', text: '{"city":"Seoul"}' }],
        structuredContent: { city: 'Seoul' },
        isError: false,
        _meta: { callId: expect.any(String), traceId: 'short', executionTimeMs: expect.any(Number) },
      },
    })
    const { callId, executionTimeMs } = metaOf(answer)
    expect(executionTimeMs).toBeGreaterThanOrEqual(0)
    expect(answer.headers.get('SyncHub-Call-Id')).toBe(callId)
    expect(answer.headers.get('SyncHub-Trace-Id')).toBe('short')
  })

  test('gets a traceId where the caller names none', async () => {
    const { traceId } = metaOf(await callTool(hub.url, 'echo'))
    expect((await getJson(hub.url, `/traces/${String(traceId)}`)).status).toBe(200)
  })

  test('is a stream of one complete where only that is accepted', async () => {
    const stream = await postForStream(hub.url, callFrame('echo', { city: 'Seoul' }), { Accept: 'text/event-stream' })
    await stream.over
    expect(namesOf(stream)).toEqual(['complete'])
    expect(stream.events[0]?.data).toMatchObject({
      token: 'prg-01',
      progress: 100,
      total: 100,
      result: { city: 'Seoul' },
    })
  })

  test('does not run in the background whatever the caller prefers', async () => {
    const answer = await callTool(hub.url, 'echo', {}, {}, { Prefer: 'respond-async' })
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null])
  })
})

describe('a long tool on the stream of its own POST', () => {
  test('sends its progress and one ending, in the form of the contract', async () => {
    const stream = await postForStream(hub.url, callFrame('work', {}, { traceId: 'long' }))
    const run = await work.nextRun()
    run.ctx.progress({ progress: 25, total: 100, message: 'Reading three sources' })
    await stream.count(1)
    run.ctx.progress({ progress: 80, total: 100 })
    await stream.count(2)
    run.complete({ structuredContent: { reportId: 'rep-9912' }, content: [{ type: 'text', text: 'Done' }] })
    await stream.over
    const { response } = stream
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('connection')).toBe('keep-alive')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('content-encoding')).toBeNull()
    const callId = response.headers.get('synchub-call-id')
    const envelope = { seq: expect.any(Number), at: expect.any(String), traceId: 'long', callId, tool: 'work' }
    expect(stream.events.map(({ event, data }) => ({ event, data }))).toStrictEqual([
      {
        event: 'progress',
        data: { ...envelope, token: 'prg-01', progress: 25, total: 100, message: 'Reading three sources' },
      },
      { event: 'progress', data: { ...envelope, token: 'prg-02', progress: 80, total: 100 } },
      {
        event: 'complete',
        data: {
          ...envelope,
          token: 'prg-03',
          progress: 100,
          total: 100,
          result: { reportId: 'rep-9912' },
          content: [{ type: 'text', text: 'Done' }],
          isError: false,
          executionTimeMs: expect.any(Number),
        },
      },
    ])
  })

  test('shows nothing of other calls in its trace', async () => {
    const meta = { traceId: 'shared' }
    await callTool(hub.url, 'echo', {}, meta)
    const stream = await postForStream(hub.url, callFrame('work', {}, meta))
    const run = await work.nextRun()
    await callTool(hub.url, 'echo', {}, meta)
    run.ctx.progress({ progress: 1 })
    await stream.count(1)
    run.complete()
    await stream.over
    expect(namesOf(stream)).toEqual(['progress', 'complete'])
  })

  test('ends in failed with the error object when something goes wrong after it began', async () => {
    const stream = await postForStream(hub.url, callFrame('work', {}, { traceId: 'wrong' }))
    const run = await work.nextRun()
    run.ctx.progress({ progress: 1 })
    await stream.count(1)
    run.fail(new Error('secret of the agent'))
    await stream.over
    expect(namesOf(stream)).toEqual(['progress', 'failed'])
    const error = stream.events[1]?.data.error as RpcBody['error']
    expectErrorObject(error, 'INTERNAL_ERROR')
    expect(error?.data).toMatchObject({ instance: '/tools/call/work', traceId: 'wrong' })
    expect(stream.events[1]?.text).not.toContain('secret of the agent')
  })

  test('ends in cancelled when it is cancelled', async () => {
    const stream = await postForStream(hub.url, callFrame('work'))
    await work.nextRun()
    const callId = stream.response.headers.get('synchub-call-id')
    await postRpc(hub.url, request('calls/cancel', { callId, reason: 'not wanted' }))
    await stream.over
    expect(namesOf(stream)).toEqual(['cancelled'])
    expectErrorObject(stream.events[0]?.data.error as RpcBody['error'], 'CANCELLED')
  })

  test('is refused with its own status before the stream begins', async () => {
    const { response } = await postForStream(hub.url, callFrame('nope'))
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
  })

  test('goes on when its caller goes away', async () => {
    const stream = await postForStream(hub.url, callFrame('work'))
    const run = await work.nextRun()
    stream.close()
    await stream.over
    run.complete({ structuredContent: { kept: true } })
    const callId = stream.response.headers.get('synchub-call-id')
    await until(() => isOver(callId))
    expect(await getCall(hub.url, String(callId))).toMatchObject({ state: 'completed', result: { kept: true } })
    expect(run.ctx.signal.aborted).toBe(false)
  })
})

describe('a long tool in the background (Prefer: respond-async)', () => {
  test.each(['application/json', 'application/json, text/event-stream', '*/*'])(
    'is answered 202 at once with its links for %s',
    async (accept) => {
      const answer = await callTool(
        hub.url,
        'work',
        {},
        { traceId: 'async' },
        { Accept: accept, Prefer: 'wait=1, respond-async' },
      )
      const run = await work.nextRun()
      const callId = answer.headers.get('SyncHub-Call-Id')
      expect(answer.status).toBe(202)
      expect(answer.headers.get('location')).toBe(`/calls/${callId}`)
      expect(answer.headers.get('preference-applied')).toBe('respond-async')
      expect(answer.body.result).toStrictEqual({
        _meta: { callId, traceId: 'async' },
        links: {
          self: `/calls/${callId}`,
          cancel: `/calls/${callId}/cancel`,
          trace: '/traces/async',
          events: '/traces/async/events',
        },
      })
      expect((await getJson<CallView>(hub.url, String(answer.headers.get('location')))).body.state).toBe('running')
      run.complete()
      await until(() => isOver(callId))
    },
  )
})

describe('a caller that waits for JSON', () => {
  test('gets the answer of a long tool', async () => {
    const answer = callTool(hub.url, 'work', {}, {}, { Accept: 'application/json' })
    const run = await work.nextRun()
    run.complete({ structuredContent: { done: true } })
    expect((await answer).body.result).toMatchObject({ structuredContent: { done: true } })
  })

  test.each(['work', 'quick'])('learns after its timeout that the call goes on: %s', async (tool) => {
    const answer = await callTool(hub.url, tool, {}, { traceId: `late-${tool}`, timeoutMs: 60.5 })
    const run = await (tool === 'work' ? work : quick).nextRun()
    expectProblem(answer, 'DEADLINE_EXCEEDED', 'request-1')
    const { callId, links, traceId } = answer.body.error?.data ?? {}
    expect(answer.body.error?.message).toBe('Deadline Exceeded: the call goes on; no answer came within 60.5 ms')
    expect(links).toMatchObject({ self: `/calls/${callId}`, events: `/traces/${traceId}/events` })
    expect(answer.headers.get('SyncHub-Call-Id')).toBe(callId)
    expect(run.ctx.signal.aborted).toBe(false)
    run.complete({ structuredContent: { late: true } })
    await until(() => isOver(callId))
    expect(await getCall(hub.url, String(callId))).toMatchObject({ state: 'completed', result: { late: true } })
    const events = await watchTrace(hub.url, `${traceId}/events`)
    await events.over
    expect(namesOf(events).slice(0, 3)).toEqual(['received', 'accepted', 'started'])
    expect(namesOf(events).slice(3)).toEqual(['complete', 'end'])
  })

  test('is answered after its timeout though memory was collected meanwhile', async () => {
    const answer = callTool(hub.url, 'work', {}, { timeoutMs: 300 })
    const run = await work.nextRun()
    setFlagsFromString('--expose-gc')
    for (let round = 0; round < 3; round++) {
      runInNewContext('gc')()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await answer).status).toBe(504)
    run.complete()
  })

  test('waits no longer than the hub allows', async () => {
    const startedAtMs = performance.now()
    const answer = await callTool(hub.url, 'work', {}, { timeoutMs: 1e9 })
    const waitedMs = performance.now() - startedAtMs
    expect(answer.body.error?.message).toContain('within 2000 ms')
    expect(waitedMs).toBeGreaterThanOrEqual(1990)
    const run = await work.nextRun()
    run.complete()
  })

  test.each([0, -1, '100', null])('may not ask for a timeout of %j', async (timeoutMs) => {
    expectProblem(await callTool(hub.url, 'work', {}, { timeoutMs }), 'INVALID_PARAMS', 'request-1')
  })

  test.each(['work', 'quick'])('does not cancel its call by going away: %s', async (tool) => {
    const controller = new AbortController()
    const gone = fetch(`${hub.url}/rpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(callFrame(tool, {}, { traceId: `gone-${tool}` })),
      signal: controller.signal,
    })
    const run = await (tool === 'work' ? work : quick).nextRun()
    controller.abort()
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' })
    run.complete()
    await until(() => isOver(run.ctx.callId))
    expect(await getCall(hub.url, run.ctx.callId)).toMatchObject({ state: 'completed' })
    expect(run.ctx.signal.aborted).toBe(false)
  })
})

describe('a call in a batch', () => {
  test('is answered as JSON, a long one within its wait', async () => {
    const frames = [
      { ...callFrame('work', {}, { timeoutMs: 50 }), id: 1 },
      { ...callFrame('echo'), id: 2 },
    ]
    const headers = { Accept: 'application/json, text/event-stream', Prefer: 'respond-async' }
    const response = await postText(hub.url, JSON.stringify(frames), headers)
    const run = await work.nextRun()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(await response.json()).toMatchObject([
      { id: 1, error: { data: { title: 'DEADLINE_EXCEEDED' } } },
      { id: 2, result: { isError: false } },
    ])
    run.complete()
  })
})
