import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import type { CallView, JsonObject } from '@synchub/protocol'
import type { Hub } from '../src/index.js'
import { closeAll } from './cleanup.js'
import { namesOf, postForStream } from './event-reader.js'
import { callFrame, callTool, getJson, metaOf, postRpc, request, type SentHeaders } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub, untilReady } from './running-hub.js'
import {
  type AgentRequest,
  type ScriptedAgent,
  sendFailure,
  sendResult,
  serveScript,
  toolOf,
} from './scripted-agent.js'
import { dumpStore } from './store-dump.js'
import { until } from './until.js'

const bearer = (key: string): SentHeaders => ({ Authorization: `Bearer ${key}` })
const key = (name: string, tenant: string, agent: string) => ({
  name,
  sha256: hashApiKey(name),
  tenant,
  agent,
  scopes: ['tools:call'],
})

let agent: ScriptedAgent
let hub: RunningHub
let other: Hub

beforeAll(async () => {
  agent = await serveScript([
    toolOf('short', { inputSchema: { type: 'object', properties: { at: { type: 'integer' } } } }),
    toolOf('long'),
    toolOf('other'),
  ])
  hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { short: { mode: 'direct' }, other: { mode: 'direct' } } } },
    access: { mode: 'keys', keys: [key('verse', 'acme', 'SyncVerse'), key('other', 'beta', 'SyncVerse')] },
  })
  other = await hub.startHub()
  await untilReady(other.url)
})

afterAll(closeAll)

/** Answers the number of the run; each run takes a moment, so that repeats arrive while it goes on. */
function count(prefix: string) {
  let runs = 0
  agent.behave((res, { id, arguments: args }: AgentRequest) => {
    runs++
    const text = `${prefix} ${runs} ${JSON.stringify(args)}`
    setTimeout(() => sendResult(res, id, { content: [{ type: 'text', text }], structuredContent: { runs } }), 50)
  })
  return () => runs
}

const call = (tool: string, args: JsonObject, meta: JsonObject, headers: SentHeaders = {}) =>
  callTool(hub.url, tool, args, meta, { ...bearer('verse'), ...headers })

describe('an idempotency key', () => {
  test.each(['short', 'long'])('runs once when 50 posts come at the same time to two hubs: %s', async (tool) => {
    const runs = count('at once')
    const meta = { idempotencyKey: `at-once-${tool}` }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        return callTool(at % 2 === 0 ? hub.url : other.url, tool, { at: 1 }, meta, bearer('verse'))
      }),
    )
    expect(runs()).toBe(1)
    const replayed = answers.filter((answer) => metaOf(answer).replayed === true)
    expect(replayed).toHaveLength(49)
    for (const answer of answers) {
      const { replayed: _replayed, ...rest } = metaOf(answer)
      expect(answer.headers.get('SyncHub-Replayed')).toBe(_replayed === true ? 'true' : null)
      expect({ ...answer.body.result, _meta: rest }).toEqual({
        ...answers[0]?.body.result,
        _meta: metaOf(answers.find((first) => metaOf(first).replayed === undefined) ?? answer),
      })
    }
    expect(new Set(answers.map((answer) => metaOf(answer).callId)).size).toBe(1)
  })

  test('may come in the header, and the order of arguments and other _meta do not matter', async () => {
    const runs = count('header')
    const first = await call(
      'short',
      { at: 1, b: { c: 1, d: 2 } },
      { traceId: 'one' },
      { 'Idempotency-Key': 'k-header' },
    )
    const again = await call(
      'short',
      { b: { d: 2, c: 1 }, at: 1 },
      { idempotencyKey: 'k-header', timeoutMs: 500, traceId: 'two' },
    )
    expect(runs()).toBe(1)
    expect(metaOf(again)).toMatchObject({ replayed: true, callId: metaOf(first).callId, traceId: 'one' })
    expect(metaOf(first)).not.toHaveProperty('replayed')
  })

  test('must be the same in header and _meta', async () => {
    const answer = await call('short', {}, { idempotencyKey: 'a' }, { 'Idempotency-Key': 'b' })
    expectProblem(answer, 'INVALID_PARAMS', 'request-1')
    const same = await call('short', {}, { idempotencyKey: 'k-same' }, { 'Idempotency-Key': 'k-same' })
    expect(same.status).toBe(200)
  })

  test.each([
    ['other arguments', 'short', { at: 2 }],
    ['another tool', 'other', { at: 1 }],
  ])('is refused with %s, and the first answer stays', async (what, tool, args) => {
    const runs = count('conflict')
    const meta = { idempotencyKey: `k-${what.length}` }
    const first = await call('short', { at: 1 }, meta)
    const conflict = await call(tool, args, meta)
    expectProblem(conflict, 'IDEMPOTENCY_CONFLICT', 'request-1')
    expect(runs()).toBe(1)
    expect(metaOf(await call('short', { at: 1 }, meta)).callId).toBe(metaOf(first).callId)
  })

  test('finds its call again, state and result, after the answer was lost', async () => {
    count('lost')
    const meta = { idempotencyKey: 'k-lost', traceId: 'lost' }
    const first = await call('long', { at: 1 }, meta)
    const ask = (headers: SentHeaders) => postRpc(hub.url, request('calls/get', { idempotencyKey: 'k-lost' }), headers)
    const found = (await ask(bearer('verse'))).body.result as JsonObject & CallView
    expect(found).toMatchObject({
      callId: metaOf(first).callId,
      traceId: 'lost',
      state: 'completed',
      arguments: { at: 1 },
      result: { runs: 1 },
      links: { self: `/calls/${String(metaOf(first).callId)}` },
    })
    expectProblem(await ask(bearer('other')), 'NOT_FOUND', 'request-1')
  })

  test('of two tenants with the same key never meets', async () => {
    const runs = count('tenants')
    const answers = await Promise.all(
      ['verse', 'other'].flatMap((name) =>
        Array.from({ length: 5 }, () =>
          callTool(hub.url, 'short', { at: 7 }, { idempotencyKey: 'k-tenants' }, bearer(name)),
        ),
      ),
    )
    expect(runs()).toBe(2)
    const ids = answers.map((answer) => metaOf(answer).callId)
    expect(new Set(ids.slice(0, 5)).size).toBe(1)
    expect(new Set(ids.slice(5)).size).toBe(1)
    expect(ids[0]).not.toBe(ids[5])
    const foreign = await getJson(hub.url, `/calls/${String(ids[0])}`, bearer('other'))
    expectProblem(foreign, 'NOT_FOUND')
  })

  test('gets the failure of the first run again, and does not run again', async () => {
    let runs = 0
    agent.behave((res, { id }) => {
      runs++
      sendFailure(res, id, { code: -32603, message: 'Internal Error: boom' })
    })
    const meta = { idempotencyKey: 'k-failed' }
    const first = await call('long', {}, meta)
    const again = await call('long', {}, meta)
    expectProblem(first, 'INTERNAL_ERROR', 'request-1')
    const { data, ...error } = again.body.error ?? {}
    expect({ ...error, data: { ...data, replayed: undefined } }).toEqual(first.body.error)
    expect(data).toMatchObject({ replayed: true })
    expect(again.headers.get('SyncHub-Replayed')).toBe('true')
    expect(first.body.error?.data).not.toHaveProperty('replayed')
    expect(runs).toBe(1)
  })

  test('may come again after a failure that says that nothing was done', async () => {
    agent.behave((res, { id }) => sendFailure(res, id, { code: -31009, message: 'Agent Unavailable: no room' }, 503))
    const meta = { idempotencyKey: 'k-nothing-done' }
    expectProblem(await call('short', { at: 1 }, meta), 'AGENT_UNAVAILABLE', 'request-1')
    const runs = count('again')
    const answer = await call('short', { at: 1 }, meta)
    expect(metaOf(answer)).not.toHaveProperty('replayed')
    expect(runs()).toBe(1)
    expect(metaOf(await call('short', { at: 1 }, meta)).replayed).toBe(true)
  })

  test('runs once when 20 repeats come after a refusal, and after an approval was wanted', async () => {
    agent.behave((res, { id }) => sendFailure(res, id, { code: -32001, message: 'HITL Approval Required: an index' }))
    const meta = { idempotencyKey: 'k-approved' }
    const refused = await call('long', { at: 1 }, meta)
    expectProblem(refused, 'HITL_APPROVAL_REQUIRED', 'request-1')
    expect(refused.body.error?.data.approvalTicketId).toMatch(/^ticket-hitl-/)
    const runs = count('approved')
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('long', { at: 1 }, meta)))
    expect(runs()).toBe(1)
    expect(new Set(answers.map((answer) => metaOf(answer).callId)).size).toBe(1)
    expect(answers.filter((answer) => metaOf(answer).replayed === true)).toHaveLength(19)
  })

  test('is given back by a refusal, so that it may come again', async () => {
    const runs = count('refused')
    const meta = { idempotencyKey: 'k-refused' }
    expectProblem(await call('short', { at: 'x' }, meta), 'INVALID_PARAMS', 'request-1')
    expectProblem(await call('nope', {}, meta), 'METHOD_NOT_FOUND', 'request-1')
    const answer = await call('short', { at: 1 }, meta)
    expect(metaOf(answer)).not.toHaveProperty('replayed')
    expect(runs()).toBe(1)
  })

  test('joins a run that goes on, as a stream or in the background', async () => {
    const waiting: (() => void)[] = []
    agent.behave((res, { id }) => {
      waiting.push(() => sendResult(res, id, { content: [], structuredContent: { done: true } }))
    })
    const meta = { idempotencyKey: 'k-join', traceId: 'join' }
    const first = await postForStream(hub.url, callFrame('long', {}, meta), bearer('verse'))
    await until(() => waiting.length === 1)
    const background = await call('long', {}, meta, { Prefer: 'respond-async' })
    expect(background.status).toBe(202)
    expect(metaOf(background)).toMatchObject({ replayed: true, callId: first.response.headers.get('synchub-call-id') })
    expect(background.headers.get('SyncHub-Replayed')).toBe('true')
    const second = await postForStream(hub.url, callFrame('long', {}, meta), bearer('verse'))
    for (const release of waiting) release()
    await Promise.all([first.over, second.over])
    expect(first.response.headers.has('SyncHub-Replayed')).toBe(false)
    expect(second.response.headers.get('SyncHub-Replayed')).toBe('true')
    expect(namesOf(second)).toEqual(namesOf(first))
    expect(second.events.at(-1)?.data).toEqual(first.events.at(-1)?.data)
    expect(waiting).toHaveLength(1)
  })

  test('names one call: a header is no key for the calls of a batch', async () => {
    const runs = count('batch')
    const frames = [1, 2].map((at) => ({ ...callFrame('short', { at }), id: at }))
    await postRpc(hub.url, frames, { ...bearer('verse'), 'Idempotency-Key': 'k-batch' })
    expect(runs()).toBe(2)
  })

  test('is nowhere in Redis in the clear', async () => {
    count('clear')
    await call('short', {}, { idempotencyKey: 'k-in-the-clear' })
    const seen = await dumpStore(hub)
    expect(seen.length).toBeGreaterThan(10)
    expect(seen.join()).not.toContain('k-in-the-clear')
  })
})
