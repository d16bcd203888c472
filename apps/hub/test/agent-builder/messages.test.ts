import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { request } from '../hub-requests.js'
import { askRaw } from '../raw-connection.js'
import { type HubPlace, openPlace } from '../running-hub.js'
import { dumpStore } from '../store-dump.js'
import { ask, callOnPath, postToPath, REVISION } from './path-requests.js'
import { SAMPLE_TOOLS, serveToolService, type ToolService } from './tool-service.js'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const GUID = 'AB1B2F5C-6a33-4b51-9f0e-0123456789ab'
const PATH = '/agent-builder/hr'
/** Ids of sessions that were never begun. */
const SESSIONS = ['never-issued', '5d0ec0de-6a33-4b51-9f0e-0123456789ab']

let service: ToolService
let place: HubPlace
let hub: string
let address: string

beforeAll(async () => {
  service = await serveToolService(SAMPLE_TOOLS)
  const settings = { name: 'hr', title: 'HR tools', version: '2.0.0', url: service.url, manifest: 'manifest.json' }
  place = await openPlace({ publicPaths: { [PATH]: settings }, limits: { maxBodyBytes: 20_000 } })
  hub = (await place.startHub()).url
  address = hub + PATH
})
afterAll(closeAll)

const initialize = (params: JsonObject = {}, id: unknown = 'init-1') =>
  request(
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'ab', version: '1' }, ...params },
    id,
  )

describe('initialize on a public path', () => {
  test('answers its id, the one revision, who serves, and a fresh session id, without the revision header', async () => {
    const answer = await ask(address, initialize(), {})
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id: 'init-1',
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'hr', title: 'HR tools', version: '2.0.0' },
      },
    })
    const sessions = [answer, await ask(address, initialize({}, 0), {})].map(({ headers }) =>
      headers.get('mcp-session-id'),
    )
    for (const session of sessions) expect(session).toMatch(UUID)
    expect(sessions[0]).not.toBe(sessions[1])
  })

  test('tells the one revision whatever was asked for, also in the header', async () => {
    for (const protocolVersion of ['2024-11-05', '2026-07-28', 'x']) {
      const { body } = await ask(address, initialize({ protocolVersion }), { 'MCP-Protocol-Version': protocolVersion })
      expect(body.result).toMatchObject({ protocolVersion: '2025-11-25' })
    }
  })

  test('gives no session id when it fails', async () => {
    const { headers, body, status } = await ask(address, initialize({ protocolVersion: 1 }), {})
    expect([status, body.error?.code, body.error?.message]).toEqual([
      200,
      -32602,
      'Invalid params: protocolVersion must be a string',
    ])
    expect(headers.has('mcp-session-id')).toBe(false)
  })

  test('never asks for the session id again, and keeps none', async () => {
    for (const session of [undefined, ...SESSIONS]) {
      const headers = session === undefined ? REVISION : { ...REVISION, 'Mcp-Session-Id': session }
      const { body } = await ask(address, request('tools/list'), headers)
      expect(body.result?.tools).toHaveLength(2)
      expect((await callOnPath(address, 'search', { query: 'x' }, headers)).body.result).toBeDefined()
    }
    const kept = [...(await dumpStore(place)), ...place.logs].join('\n')
    expect(kept).toContain('search')
    for (const session of SESSIONS) expect(kept).not.toContain(session)
  })
})

describe('the revision header', () => {
  const requests = [
    request('tools/list'),
    request('tools/call', { name: 'search', arguments: { query: 'x' } }),
    request('ping'),
    request('no/such'),
  ]
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

  test.each<[string, Record<string, string>]>([
    ['is missing', {}],
    ['has another value', { 'MCP-Protocol-Version': '2026-07-28' }],
    ['has more than that value', { 'MCP-Protocol-Version': '2025-11-25, 2025-11-25' }],
    ['has another name', { version: '2025-11-25' }],
  ])('refuses all but initialize with HTTP 400 and no JSON-RPC body when it %s', async (_, headers) => {
    const before = service.calls.length
    for (const message of [...requests, notification]) {
      const answer = await ask<JsonObject>(address, message, { ...headers, guid: GUID })
      expect(answer.status).toBe(400)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(answer.body).toEqual({
        error: 'UNSUPPORTED_PROTOCOL_VERSION',
        message: expect.stringContaining('MCP-Protocol-Version must be 2025-11-25'),
        supportedVersions: ['2025-11-25'],
        guid: GUID,
      })
    }
    expect(service.calls).toHaveLength(before)
  })
})

describe('a notification on a public path', () => {
  test.each(['notifications/initialized', 'notifications/cancelled', 'no/such', 'tools/call'])(
    'is taken with 202 and nothing else, and starts nothing: %s',
    async (method) => {
      const before = service.calls.length
      const message = { jsonrpc: '2.0', method, params: { name: 'search', arguments: { query: 'x' } } }
      const answer = await postToPath(address, JSON.stringify(message))
      expect([answer.status, await answer.text()]).toEqual([202, ''])
      expect(service.calls).toHaveLength(before)
    },
  )

  test('gates nothing: tools are listed and called without it', async () => {
    expect((await callOnPath(address, 'search')).body.result).toMatchObject({ isError: false })
  })
})

describe('how a public path answers', () => {
  test('takes the bodies that clients of the contract before it send, as they are', async () => {
    const accept = { Accept: 'application/json, text/event-stream' }
    const opening = {
      jsonrpc: '2.0',
      id: 'init-1',
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'agent-builder', version: '0.2' },
      },
    }
    const opened = await ask(address, opening, accept)
    const after = { ...REVISION, ...accept, 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' }
    const notified = await postToPath(address, '{"jsonrpc":"2.0","method":"notifications/initialized"}', after)
    const listed = await ask(address, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, after)
    const called = await ask(
      address,
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'search', arguments: { query: 'x' } } },
      after,
    )
    expect([opened.status, notified.status, await notified.text(), listed.status, called.status]).toEqual([
      ...[200, 202, '', 200, 200],
    ])
    expect([opened.body.id, listed.body.id, called.body.id]).toEqual(['init-1', 2, 3])
    expect(listed.body.result).toHaveProperty('tools')
    expect(called.body.result).toMatchObject({ content: [{ type: 'text', text: 'ok' }], isError: false })
  })

  test.each(['text/event-stream', 'text/html', 'application/json, text/event-stream', '*/*'])(
    'is one JSON response, whatever Accept says: %s',
    async (accept) => {
      const answer = await ask(
        address,
        request('tools/call', { name: 'search', arguments: { query: 'x' }, _meta: { progressToken: 1 } }),
        {
          ...REVISION,
          Accept: accept,
        },
      )
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(answer.body.result).toMatchObject({ isError: false })
    },
  )

  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('is 405 to %s', async (method) => {
    const answer = await fetch(address, { method, headers: { Accept: 'text/event-stream' } })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { data: { title: 'METHOD_NOT_ALLOWED', guid: expect.any(String) } },
    })
  })

  test('is found under the very path only', async () => {
    for (const other of [`${address}/`, `${address}/x`, `${hub}/agent-builder`, address.replace('hr', 'HR')]) {
      expect((await ask(other, request('ping'))).status).toBe(404)
    }
    expect((await ask(`${address}?tenant=1`, request('ping'))).body.result).toEqual({})
  })

  test('shows the path in no payload', async () => {
    const answers = [
      await ask(address, initialize(), {}),
      await ask(address, request('tools/list')),
      await callOnPath(address, 'search'),
      await callOnPath(address, 'nothing'),
      await ask(address, [], REVISION),
      await ask(address, request('ping'), { ...REVISION, 'Content-Type': 'text/plain' }),
      await ask(address, request('ping'), { ...REVISION, Origin: 'http://evil.example' }),
    ]
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain('agent-builder')
  })

  test('has an HTTP status of its own for what is refused before any message is read', async () => {
    const wrongType = await ask(address, request('ping'), { ...REVISION, 'Content-Type': 'text/plain' })
    const tooLarge = await callOnPath(address, 'search', { query: 'x'.repeat(30_000) })
    const foreign = await ask(address, request('ping'), { ...REVISION, Origin: 'http://evil.example' })
    expect([wrongType, tooLarge, foreign].map(({ status, body }) => [status, body.error?.data.title, body.id])).toEqual(
      [
        [415, 'UNSUPPORTED_MEDIA_TYPE', null],
        [413, 'PAYLOAD_TOO_LARGE', null],
        [403, 'FORBIDDEN', null],
      ],
    )
    for (const { headers, body } of [wrongType, tooLarge, foreign]) {
      expect(body.error?.data.guid).toBe(headers.get('guid'))
    }
  })
})

describe('the names of an exchange', () => {
  test('are echoed as they were sent, in every answer and in errors', async () => {
    const named = { guid: GUID, 'X-Request-Id': 'req:1/a.b~c=@' }
    for (const headers of [named, { ...named, ...REVISION }]) {
      for (const message of [
        initialize(),
        request('tools/list'),
        { jsonrpc: '2.0', method: 'x' },
        [],
        request('no/such'),
      ]) {
        const answer = await postToPath(address, JSON.stringify(message), headers)
        expect(answer.headers.get('guid')).toBe(GUID)
        expect(answer.headers.get('x-request-id')).toBe('req:1/a.b~c=@')
        const text = await answer.text()
        expect(text.includes(`"guid":"${GUID}"`)).toBe(text.includes('"error"'))
      }
    }
  })

  test('are made up where they are absent', async () => {
    const answers = [await ask(address, request('ping')), await ask(address, request('no/such'))]
    for (const { headers } of answers) {
      expect(headers.get('guid')).toMatch(UUID)
      expect(headers.get('x-request-id')).toMatch(UUID)
    }
    expect(answers[1]?.body.error?.data.guid).toBe(answers[1]?.headers.get('guid'))
  })

  test.each<[string, string]>([
    ['guid', 'no-uuid'],
    ['guid', ''],
    ['x-request-id', 'two words'],
    ['x-request-id', 'x'.repeat(129)],
    ['x-request-id', 'quote"'],
    ['mcp-session-id', 'a,b'],
    ['mcp-session-id', 'x'.repeat(129)],
  ])('that are malformed refuse the request and are not echoed: %s %j', async (name, value) => {
    const before = service.calls.length
    const answer = await callOnPath(address, 'search', { query: 'x' }, { [name]: value })
    expect([answer.status, answer.body.id, answer.body.error?.code]).toEqual([200, 'request-1', -32600])
    expect(answer.body.error?.message).toContain(`the header ${name} must be`)
    expect(answer.headers.get('guid')).toMatch(UUID)
    expect(answer.headers.get('x-request-id')).not.toBe(value)
    expect(service.calls).toHaveLength(before)
  })
})

describe('two Host headers', () => {
  test('are refused in the form of the path', async () => {
    const { host } = new URL(hub)
    const answer = await askRaw(hub, [
      `POST ${PATH} HTTP/1.1`,
      `Host: ${host}`,
      'Host: evil.example',
      'Content-Length: 0',
    ])
    expect(answer.status).toBe(400)
    expect(answer.headers.get('guid')).toMatch(UUID)
  })
})
