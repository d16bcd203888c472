import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { callTool } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { type ScriptedAgent, serveScript, toolOf } from '../scripted-agent.js'
import { until } from '../until.js'
import {
  askLegacy,
  askModern,
  type McpStream,
  openSession,
  openSessionStream,
  postMcp,
  streamMcp,
} from './mcp-requests.js'

const OWNER = { Authorization: 'Bearer owner' }
const OTHER = { Authorization: 'Bearer other' }
const LEGACY = { 'MCP-Protocol-Version': '2025-11-25' }
let hub: RunningHub
let otherUrl: string
let changing: ScriptedAgent

beforeAll(async () => {
  changing = await serveScript([toolOf('first')])
  const key = (name: string) => ({ name, sha256: hashApiKey(name), tenant: 't', agent: name, scopes: ['tools:call'] })
  hub = await runHub({
    agents: {
      Changing: { url: changing.url, mode: 'direct' },
    },
    limits: { maxWaitMs: 20_000, defaultWaitMs: 20_000 },
    access: { mode: 'keys', keys: [key('owner'), key('other')] },
  })
  otherUrl = (await hub.startHub()).url
})

afterAll(closeAll)

const inSession = (id: string, more: Record<string, string> = OWNER) => ({ ...LEGACY, 'Mcp-Session-Id': id, ...more })

describe('a session', () => {
  test('serves at every hub, and only who opened it', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    for (const url of [hub.url, otherUrl]) {
      expect((await askLegacy(url, 'ping', {}, inSession(id))).status).toBe(200)
      const strange = await askLegacy(url, 'ping', {}, inSession(id, OTHER))
      const missing = await askLegacy(url, 'ping', {}, inSession('no-such-session', OTHER))
      expect([strange.status, strange.body]).toEqual([404, missing.body])
      expect(strange.body).toMatchObject({ id: 1, error: { data: { title: 'NOT_FOUND' } } })
    }
  })

  test('is not needed', async () => {
    expect((await askLegacy(hub.url, 'tools/list', {}, OWNER)).status).toBe(200)
  })

  test('ends with DELETE', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    const end = (headers: Record<string, string>) => fetch(`${hub.url}/mcp`, { method: 'DELETE', headers })
    expect((await end(inSession(id, OTHER))).status).toBe(404)
    expect((await end(inSession(id))).status).toBe(204)
    expect((await end(inSession(id))).status).toBe(404)
    expect((await askLegacy(hub.url, 'ping', {}, inSession(id))).status).toBe(404)
    expect((await askLegacy(otherUrl, 'ping', {}, inSession(id))).status).toBe(404)
  })

  test('that ended at one hub is over at another that had just served it', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    expect((await askLegacy(otherUrl, 'ping', {}, inSession(id))).status).toBe(200)
    const stream = await openSessionStream(otherUrl, inSession(id))
    await fetch(`${hub.url}/mcp`, { method: 'DELETE', headers: inSession(id) })
    await until(async () => (await askLegacy(otherUrl, 'ping', {}, inSession(id))).status === 404)
    // Nobody leaves it: its stream ends with the session.
    await stream.over
  }, 5000)

  test('that is over takes no notification and no answer either', async () => {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const response = { jsonrpc: '2.0', id: 'x', result: {} }
    for (const message of [initialized, response]) {
      expect((await postMcp(hub.url, message, inSession('no-such-session'))).status).toBe(404)
    }
    expect((await postMcp(hub.url, initialized, { ...LEGACY, ...OWNER })).status).toBe(202)
  })

  test('is nothing in the modern era', async () => {
    const headers = { ...OWNER, 'Mcp-Session-Id': 'no-such-session' }
    expect((await askModern(hub.url, 'tools/list', {}, {}, headers)).status).toBe(200)
    for (const method of ['GET', 'DELETE']) {
      const sent = { ...headers, 'MCP-Protocol-Version': '2026-07-28', Accept: 'text/event-stream' }
      expect((await fetch(`${hub.url}/mcp`, { method, headers: sent })).status).toBe(405)
    }
  })

  test.each(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])(
    'is needed for %s: 400 without',
    async (method) => {
      expect(await askLegacy(hub.url, method, { level: 'info', uri: 'trace://x' }, OWNER)).toMatchObject({
        status: 400,
        body: { id: 1, error: { code: -32600, data: { nextStep: expect.stringMatching(/Mcp-Session-Id/) } } },
      })
    },
  )
})

describe('the stream of a session', () => {
  test('tells of changed lists and of the traces that it has subscribed to', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    await askLegacy(otherUrl, 'resources/subscribe', { uri: 'trace://watched' }, inSession(id))
    await askLegacy(otherUrl, 'resources/subscribe', { uri: 'trace://left' }, inSession(id))
    await askLegacy(otherUrl, 'resources/unsubscribe', { uri: 'trace://left' }, inSession(id))
    const stream = await openSessionStream(hub.url, inSession(id))
    const told = () =>
      new Set(stream.messages.map(({ method, params }) => `${String(method)} ${JSON.stringify(params)}`))
    await until(async () => {
      await callTool(otherUrl, 'first', {}, { traceId: 'watched' }, OWNER)
      await callTool(otherUrl, 'first', {}, { traceId: 'left' }, OWNER)
      return stream.messages.length > 0
    })
    changing.offer([toolOf('first'), toolOf('second')])
    await until(() => stream.messages.some(({ method }) => method === 'notifications/tools/list_changed'))
    expect(told()).toEqual(
      new Set(['notifications/resources/updated {"uri":"trace://watched"}', 'notifications/tools/list_changed {}']),
    )
    stream.leave()
    await stream.over
  })

  test('tells of a trace under the URI that was subscribed to, however it writes the traceId', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    const subscribe = async (uri: string) =>
      (await askLegacy(hub.url, 'resources/subscribe', { uri }, inSession(id))).body.error?.code
    for (const uri of ['trace://a%3Ab', 'trace://a:b?owner=owner']) expect(await subscribe(uri)).toBeUndefined()
    for (const uri of ['trace://%zz', 'trace://a/b']) expect(await subscribe(uri)).toBe(-32002)
    const stream = await openSessionStream(hub.url, inSession(id))
    await until(async () => {
      await callTool(otherUrl, 'first', {}, { traceId: 'a:b' }, OWNER)
      return stream.messages.length > 1
    })
    expect(stream.messages.slice(0, 2).map(({ params }) => (params as JsonObject).uri)).toEqual([
      'trace://a%3Ab',
      'trace://a:b?owner=owner',
    ])
    stream.leave()
    await stream.over
  })

  test('tells of a trace that was subscribed to at another hub while it was open', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    const stream = await openSessionStream(hub.url, inSession(id))
    // Read, and believed for a while.
    await askLegacy(hub.url, 'ping', {}, inSession(id))
    await askLegacy(otherUrl, 'resources/subscribe', { uri: 'trace://late' }, inSession(id))
    await until(async () => {
      await callTool(otherUrl, 'first', {}, { traceId: 'late' }, OWNER)
      return stream.messages.length > 0
    })
    expect(stream.messages[0]).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'trace://late' },
    })
    stream.leave()
    await stream.over
  }, 5000)

  test('holds a bounded number of resources', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    const ask = async (method: string, uri: string) =>
      (await askLegacy(hub.url, `resources/${method}`, { uri }, inSession(id))).body.error?.code
    for (let number = 0; number < 100; number++) expect(await ask('subscribe', `trace://${number}`)).toBeUndefined()
    expect([await ask('subscribe', 'trace://more'), await ask('subscribe', 'trace://1')]).toEqual([-32602, undefined])
    await ask('unsubscribe', 'trace://1')
    expect(await ask('subscribe', 'trace://more')).toBeUndefined()
  })

  test('needs a session and a reader of streams', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    const open = (headers: Record<string, string>) => fetch(`${hub.url}/mcp`, { headers })
    expect((await open({ ...OWNER, Accept: 'text/event-stream' })).status).toBe(405)
    expect((await open({ ...inSession(id), Accept: 'application/json' })).status).toBe(406)
    expect((await open({ ...inSession('none'), Accept: 'text/event-stream' })).status).toBe(404)
  })
})

describe('log messages', () => {
  const levels = ({ messages }: McpStream) =>
    messages
      .filter(({ method }) => method === 'notifications/message')
      .map(({ params }) => {
        const { level, data } = params as { level: string; data: JsonObject }
        return `${level} ${String(data.event)}`
      })
  const frame = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'first', arguments: {} } }

  test('tell what happens to the calls of a session from its level on', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    expect((await askLegacy(hub.url, 'logging/setLevel', { level: 'info' }, inSession(id))).body.result).toEqual({})
    const stream = await streamMcp(hub.url, frame, inSession(id))
    await stream.over
    expect(levels(stream)).toEqual(['info started', 'info complete'])
    expect(JSON.stringify(stream.messages.slice(0, -1))).not.toContain('content')
  })

  test('are sent to no one who has not asked for them', async () => {
    const id = await openSession(hub.url, {}, OWNER)
    expect((await postMcp(hub.url, frame, inSession(id))).headers.get('content-type')).toContain('application/json')
    const { body } = await askLegacy(hub.url, 'logging/setLevel', { level: 'loud' }, inSession(id))
    expect(body.error?.code).toBe(-32602)
  })
})
