import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import type { JsonObject, TraceSummary } from '@synchub/protocol'
import { createLogger } from '@synchub/telemetry'
import { v7 as uuidv7 } from 'uuid'
import { startHub } from '../src/index.js'
import { closeAll } from './cleanup.js'
import { namesOf, watchTrace } from './event-reader.js'
import { callTool, getJson, postJson, postRpc, request, type SentHeaders, startCall } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { openPlace, type RunningHub, runHub, sharedRedis } from './running-hub.js'
import { type AgentRequest, type ScriptedAgent, sendResult, serveScript, toolOf } from './scripted-agent.js'
import { dumpStore } from './store-dump.js'
import { until } from './until.js'

const TENANT_SCOPES = ['traces:read:tenant', 'calls:cancel:tenant']
const SCOPES: Readonly<Record<string, { tenant: string; agent: string; subject?: string; scopes: readonly string[] }>> =
  {
    alice: { tenant: 'acme', agent: 'SyncVerse', subject: 'alice', scopes: ['tools:call'] },
    bob: { tenant: 'acme', agent: 'SyncVerse', subject: 'bob', scopes: ['tools:call'] },
    operator: { tenant: 'acme', agent: 'Console', scopes: TENANT_SCOPES },
    reader: { tenant: 'acme', agent: 'Dashboard', scopes: ['traces:read:tenant'] },
    stranger: { tenant: 'beta', agent: 'SyncVerse', subject: 'alice', scopes: ['tools:call', ...TENANT_SCOPES] },
    oneTool: { tenant: 'acme', agent: 'Narrow', scopes: ['tools:call:search'] },
    oneAgent: { tenant: 'acme', agent: 'Narrower', scopes: ['tools:call:Second'] },
  }
const KEYS = new Map(Object.keys(SCOPES).map((name) => [name, `key-${name}-${randomUUID()}`]))
const as = (name: string): SentHeaders => ({ Authorization: `Bearer ${KEYS.get(name)}` })
const access = {
  mode: 'keys',
  keys: Object.entries(SCOPES).map(([name, key]) => ({ ...key, name, sha256: hashApiKey(KEYS.get(name) ?? '') })),
}

let agent: ScriptedAgent
let second: ScriptedAgent
let hub: RunningHub
const held: { call: AgentRequest; release: () => void }[] = []

beforeAll(async () => {
  agent = await serveScript([toolOf('search'), toolOf('work')])
  agent.behave((res, call) => {
    const release = () => sendResult(res, call.id, { content: [] })
    if (call.name === 'work') held.push({ call, release })
    else release()
  })
  second = await serveScript([toolOf('sum'), toolOf('secret')])
  hub = await runHub({
    agents: {
      First: { url: agent.url, tools: { search: { mode: 'direct' } } },
      Second: { url: second.url, mode: 'direct' },
    },
    access,
  })
})

afterAll(closeAll)

describe('a request without a valid key', () => {
  const surfaces = ['/traces', '/traces/x', '/traces/x/events', '/calls/x', '/nothing']

  test.each([
    ['none', () => undefined],
    ['nothing', () => ''],
    ['a scheme alone', () => 'Bearer'],
    ['an unknown key', () => 'Bearer wrong'],
    ['another scheme', () => 'Basic YTpi'],
    ['a key that is too long', () => `Bearer ${'x'.repeat(600)}`],
    ['a good key under another scheme', () => `Token ${KEYS.get('alice')}`],
  ])('is refused everywhere the same: %s', async (_what, write) => {
    const authorization = write()
    const headers: SentHeaders = authorization === undefined ? {} : { Authorization: authorization }
    const answers = [await postRpc(hub.url, request('tools/list'), headers), await postRpc(hub.url, 'x', headers)]
    for (const path of surfaces) answers.push(await getJson(hub.url, path, headers))
    answers.push(await getJson(hub.url, '/traces/x/events', { ...headers, Accept: 'text/event-stream' }))
    for (const answer of answers) {
      expectProblem(answer, 'UNAUTHENTICATED')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
      expect(answer.body.error?.message).toBe('Unauthenticated: no valid API key was sent')
    }
  })

  test('may still ask whether the hub is alive', async () => {
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${hub.url}/readyz`)).status).toBe(200)
  })
})

describe('a caller', () => {
  test('is the agent that holds the key, and may not say that it is another', async () => {
    const answer = await callTool(hub.url, 'search', {}, { callerAgent: 'Console' }, as('alice'))
    expectProblem(answer, 'FORBIDDEN', 'request-1')
    const own = await callTool(hub.url, 'search', {}, { callerAgent: 'SyncVerse', traceId: 'own-name' }, as('alice'))
    expect(own.status).toBe(200)
    expect(agent.calls.at(-1)?.meta.callerAgent).toBe('SyncVerse')
    await callTool(hub.url, 'search', {}, {}, as('bob'))
    expect(agent.calls.at(-1)?.meta.callerAgent).toBe('SyncVerse')
  })

  test('sees and may call only the tools of its scopes', async () => {
    const listed = async (name: string) => {
      const { body } = await postRpc(hub.url, request('tools/list'), as(name))
      const tools = (body.result?.tools ?? []) as readonly { name: string }[]
      return tools.map((tool) => tool.name)
    }
    expect(await listed('alice')).toEqual(['search', 'secret', 'sum', 'work'])
    expect(await listed('oneTool')).toEqual(['search'])
    expect(await listed('oneAgent')).toEqual(['secret', 'sum'])
    expect(await listed('reader')).toEqual([])
    expect((await callTool(hub.url, 'search', {}, {}, as('oneTool'))).status).toBe(200)
    second.behave((res, { id }) => sendResult(res, id, { content: [] }))
    for (const name of ['sum', 'Second.sum']) {
      expect((await callTool(hub.url, name, {}, {}, as('oneAgent'))).status).toBe(200)
    }
    expectProblem(await callTool(hub.url, 'Second.nope', {}, {}, as('oneAgent')), 'METHOD_NOT_FOUND', 'request-1')
  })

  test('cannot tell a tool that it may not call from one that does not exist', async () => {
    const before = second.calls.length
    for (const spell of [(name: string) => name, (name: string) => `Second.${name}`]) {
      const [real, unreal] = [spell('secret'), spell('nothing')]
      const [one, other] = [
        await callTool(hub.url, real, {}, {}, as('oneTool')),
        await callTool(hub.url, unreal, {}, {}, as('oneTool')),
      ]
      expectProblem(one, 'FORBIDDEN', 'request-1')
      expect(JSON.stringify(one.body).replaceAll('secret', 'nothing')).toBe(JSON.stringify(other.body))
    }
    const target = { targetAgent: 'Second' }
    const one = await callTool(hub.url, 'secret', {}, target, as('oneTool'))
    const other = await callTool(hub.url, 'nothing', {}, target, as('oneTool'))
    expect(JSON.stringify(one.body).replaceAll('secret', 'nothing')).toBe(JSON.stringify(other.body))
    expect(second.calls).toHaveLength(before)
    const { body } = await getJson<{ items: unknown[] }>(hub.url, '/traces?caller=Narrow', as('operator'))
    expect(JSON.stringify(body.items)).not.toContain('secret')
  })
})

describe('what another holds', () => {
  /** The same request for a thing that exists and for one that does not, of which only the id may differ. */
  const expectSame = async (
    ask: (id: string) => Promise<{ status: number; body: unknown }>,
    real: string,
    unreal: string,
  ) => {
    const [one, other] = [await ask(real), await ask(unreal)]
    expect(one.status).toBe(404)
    expect(other.status).toBe(404)
    expect(JSON.stringify(one.body).replaceAll(real, unreal)).toBe(JSON.stringify(other.body))
  }

  test.each(['bob', 'stranger'])('looks to %s like what does not exist', async (who) => {
    const traceId = `of-alice-${who}`
    const callId = await startCall(hub.url, 'work', {}, { traceId }, as('alice'))
    await until(() => held.some(({ call }) => call.id === callId))
    const headers = as(who)
    const [noCall, noTrace] = [uuidv7(), `nothing-${who}`]
    await expectSame((id) => getJson(hub.url, `/calls/${id}`, headers), callId, noCall)
    await expectSame((id) => postRpc(hub.url, request('calls/get', { callId: id }), headers), callId, noCall)
    await expectSame((id) => postRpc(hub.url, request('calls/cancel', { callId: id }), headers), callId, noCall)
    await expectSame((id) => postJson(hub.url, `/calls/${id}/cancel`, {}, headers), callId, noCall)
    await expectSame((id) => getJson(hub.url, `/traces/${id}`, headers), traceId, noTrace)
    await expectSame((id) => getJson(hub.url, `/traces/${id}?owner=alice`, as('bob')), traceId, noTrace)
    await expectSame((id) => getJson(hub.url, `/traces/${id}/events`, headers), traceId, noTrace)
    const sse = { ...headers, Accept: 'text/event-stream' }
    await expectSame((id) => getJson(hub.url, `/traces/${id}/events`, sse), traceId, noTrace)
    await expectSame((id) => getJson(hub.url, `/traces/${id}/events?after=1-1`, sse), traceId, noTrace)

    const { body } = await getJson<{ items: TraceSummary[] }>(hub.url, '/traces?owner=alice', headers)
    expect(body.items.map((trace) => trace.traceId)).not.toContain(traceId)
    held.find(({ call }) => call.id === callId)?.release()
    await until(
      async () =>
        (await getJson<{ state: string }>(hub.url, `/calls/${callId}`, as('alice'))).body.state === 'completed',
    )
  })

  test('with the same traceId is another trace', async () => {
    const meta = { traceId: 'common' }
    for (const who of ['alice', 'bob', 'stranger']) await callTool(hub.url, 'search', {}, meta, as(who))
    for (const who of ['alice', 'bob', 'stranger']) {
      const { body } = await getJson<JsonObject>(hub.url, '/traces/common', as(who))
      expect(body).toMatchObject({ callCount: 1, owner: who === 'stranger' ? 'alice' : who })
    }
  })

  test('may not be the parent of a call, and that says nothing of it', async () => {
    const callId = (await callTool(hub.url, 'search', {}, { traceId: 'parent' }, as('alice'))).headers.get(
      'SyncHub-Call-Id',
    )
    const child = (parentCallId: string | null, who: string) =>
      callTool(hub.url, 'search', {}, { traceId: 'parent', parentCallId }, as(who))
    expect((await child(callId, 'alice')).status).toBe(200)
    const foreign = await child(callId, 'bob')
    expectProblem(foreign, 'INVALID_PARAMS', 'request-1')
    expect((await child(uuidv7(), 'bob')).body.error?.message).toBe(foreign.body.error?.message)
  })

  test('can be waited for by nobody else: a stream of a trace that does not exist yet is the own one', async () => {
    const bobs = await watchTrace(hub.url, 'later/events?follow=1', as('bob'))
    await callTool(hub.url, 'search', {}, { traceId: 'later' }, as('alice'))
    await callTool(hub.url, 'search', {}, { traceId: 'later' }, as('bob'))
    await bobs.next('complete')
    expect(namesOf(bobs)).toEqual(['received', 'accepted', 'started', 'complete'])
    const refused = await getJson(hub.url, '/traces/not-yet/events?follow=1&owner=alice', {
      ...as('bob'),
      Accept: 'text/event-stream',
    })
    expectProblem(refused, 'NOT_FOUND')
  })
})

describe('a reader of the whole tenant', () => {
  test('chooses the owner where a traceId names traces of several', async () => {
    const meta = { traceId: 'chosen' }
    for (const who of ['alice', 'bob']) await callTool(hub.url, 'search', { who }, meta, as(who))
    for (const path of ['/traces/chosen', '/traces/chosen/events']) {
      const ambiguous = await getJson(hub.url, path, as('reader'))
      expectProblem(ambiguous, 'INVALID_PARAMS')
      expect(ambiguous.body.error?.data).toMatchObject({ path: 'owner', expected: '?owner= one of alice, bob' })
      for (const owner of ['alice', 'bob']) {
        expect((await getJson(hub.url, `${path}?owner=${owner}`, as('reader'))).status).toBe(200)
      }
      expectProblem(await getJson(hub.url, `${path}?owner=carol`, as('reader')), 'NOT_FOUND')
    }
    const stream = await watchTrace(hub.url, 'chosen/events?owner=bob', as('reader'))
    await stream.over
    expect(namesOf(stream).at(-1)).toBe('end')
  })

  test('lists the traces of its tenant, and of no other', async () => {
    await callTool(hub.url, 'search', {}, { traceId: 'listed' }, as('stranger'))
    const { body } = await getJson<{ items: TraceSummary[] }>(hub.url, '/traces?limit=200', as('reader'))
    expect(new Set(body.items.map(({ owner }) => owner))).toEqual(new Set(['alice', 'bob', 'Narrow', 'Narrower']))
    expect(body.items.map(({ traceId }) => traceId)).not.toContain('listed')
  })

  test('may cancel what others made only with that scope', async () => {
    const callId = await startCall(hub.url, 'work', {}, { traceId: 'cancelled' }, as('alice'))
    const refused = await postJson(hub.url, `/calls/${callId}/cancel`, {}, as('reader'))
    expectProblem(refused, 'FORBIDDEN')
    expect(refused.body.error?.data.scope).toBe('calls:cancel:tenant')
    const answer = await postJson<JsonObject>(hub.url, `/calls/${callId}/cancel`, {}, as('operator'))
    expect(answer.body).toEqual({ callId, state: 'cancelled', cancelled: true })
  })
})

describe('an API key', () => {
  test('is in no log line, value, name, event or error of the hub', async () => {
    await callTool(hub.url, 'nope', {}, { traceId: 'keys' }, as('alice'))
    await postRpc(hub.url, 'x', { Authorization: `Bearer ${KEYS.get('alice')}x` })
    const { body } = await getJson(hub.url, '/traces/keys/events', as('alice'))
    const seen = [...hub.logs, JSON.stringify(body), ...(await dumpStore(hub)), ...agent.received, ...second.received]
    expect(seen.length).toBeGreaterThan(100)
    for (const key of KEYS.values()) expect(seen.filter((text) => text.includes(key))).toEqual([])
  })
})

describe('a hub without access control', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', 'hub.example'])('does not listen on %s', async (host) => {
    const { config, prefix } = await openPlace()
    const logger = createLogger({ name: 'hub', level: 'silent' })
    await expect(
      startHub({ config, redisUrl: sharedRedis(), redisPrefix: prefix, host, port: 0, logger }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(`does not listen on ${host} while access.mode is "none"`),
    })
  })

  test('listens anywhere with keys', async () => {
    const { config, prefix } = await openPlace({ access })
    const logger = createLogger({ name: 'hub', level: 'silent' })
    const open = await startHub({
      config,
      redisUrl: sharedRedis(),
      redisPrefix: prefix,
      host: '0.0.0.0',
      port: 0,
      logger,
    })
    expect(open.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/)
    await open.stop()
  })
})
