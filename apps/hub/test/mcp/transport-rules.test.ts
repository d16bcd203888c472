import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveTools } from '../served-agent.js'
import { askLegacy, askModern, MODERN, modernMeta, modernRequest, postMcp, postMcpText } from './mcp-requests.js'

let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([echoTool])
  hub = await runHub({ agents: { Agent: { url: agent.url, mode: 'direct' } } })
})

afterAll(closeAll)

const MODERN_HEADERS = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/list' }
const list = (meta?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/list',
  params: meta === undefined ? {} : { _meta: meta },
})
const call = (name: unknown): JsonObject => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: modernMeta() },
})

describe('a modern request', () => {
  test.each<[string, JsonObject, Record<string, string>, number, number]>([
    ['without its capabilities', list({ [META_KEYS.protocolVersion]: MODERN }), MODERN_HEADERS, 400, -32602],
    [
      'with metadata of another shape',
      list({ ...modernMeta(), [META_KEYS.clientInfo]: 7 }),
      MODERN_HEADERS,
      400,
      -32602,
    ],
    [
      'whose header names another revision',
      list(modernMeta()),
      { ...MODERN_HEADERS, 'MCP-Protocol-Version': '2025-11-25' },
      400,
      -32020,
    ],
    ['without the header of its revision', list(modernMeta()), { 'Mcp-Method': 'tools/list' }, 400, -32020],
    ['without the header of its method', list(modernMeta()), { 'MCP-Protocol-Version': MODERN }, 400, -32020],
    ['whose header names another method', list(modernMeta()), { ...MODERN_HEADERS, 'Mcp-Method': 'ping' }, 400, -32020],
    ['whose header names no tool', call('echo'), { ...MODERN_HEADERS, 'Mcp-Method': 'tools/call' }, 400, -32020],
    [
      'whose header is badly encoded',
      call('echo'),
      { ...MODERN_HEADERS, 'Mcp-Method': 'tools/call', 'Mcp-Name': '=?base64?ZQ?=' },
      400,
      -32020,
    ],
    [
      'whose parameter names no tool, which its header was blamed for,',
      call(7),
      { ...MODERN_HEADERS, 'Mcp-Method': 'tools/call' },
      200,
      -32602,
    ],
    ['whose name is no text', call(7), { ...MODERN_HEADERS, 'Mcp-Method': 'tools/call', 'Mcp-Name': '7' }, 400, -32020],
    [
      'of an unknown revision',
      list({ ...modernMeta(), [META_KEYS.protocolVersion]: '2099-01-01' }),
      { ...MODERN_HEADERS, 'MCP-Protocol-Version': '2099-01-01' },
      400,
      -32022,
    ],
    ['that only its header says to be one', list(), MODERN_HEADERS, 400, -32602],
  ])('%s is judged', async (_case, frame, headers, status, code) => {
    const answer = await postMcp(hub.url, frame, headers)
    expect([answer.status, answer.body.id, answer.body.error?.code ?? 0]).toEqual([status, 7, code])
  })

  test.each<[string, unknown, string]>([
    ['clientCapabilities', 'all', '_meta["io.modelcontextprotocol/clientCapabilities"] must be an object'],
    ['clientCapabilities', { elicitation: true }, 'clientCapabilities"].elicitation must be an object'],
    ['clientCapabilities', { sampling: { tools: 1 } }, 'clientCapabilities"].sampling.tools must be an object'],
    ['clientCapabilities', { extensions: [] }, 'clientCapabilities"].extensions must be an object'],
    ['clientCapabilities', { extensions: { 'a/b': null } }, 'clientCapabilities"].extensions.a/b must be an object'],
    ['logLevel', 'loud', 'logLevel"] must be one of debug, info,'],
    ['logLevel', 3, 'logLevel"] must be one of debug, info,'],
  ])('that declares its %s as %j is told so: it was taken as if it had said nothing', async (key, value, reason) => {
    const meta = { [`io.modelcontextprotocol/${key}`]: value }
    for (const method of ['tools/list', 'server/discover']) {
      const { status, body } = await askModern(hub.url, method, {}, meta)
      expect([status, body.id, body.error?.code, body.error?.message]).toEqual([
        400,
        1,
        -32602,
        expect.stringContaining(reason),
      ])
    }
  })

  test('may declare what the revision does not know, in any form', async () => {
    const declared = { mine: 7, experimental: { theirs: {} }, elicitation: { form: {}, more: 1 } }
    expect((await askModern(hub.url, 'tools/list', {}, { [META_KEYS.clientCapabilities]: declared })).status).toBe(200)
  })

  test('of an unknown revision learns which there are', async () => {
    const frame = list({ ...modernMeta(), [META_KEYS.protocolVersion]: '2099-01-01' })
    const { body } = await postMcp(hub.url, frame, { ...MODERN_HEADERS, 'MCP-Protocol-Version': '2099-01-01' })
    expect(body.error?.data).toMatchObject({ supported: [MODERN], requested: '2099-01-01' })
  })

  test.each(['initialize', 'ping', 'logging/setLevel', 'tasks/list', 'no/such'])('has no %s', async (method) => {
    const { status, body } = await askModern(hub.url, method)
    expect([status, body.id, body.error?.code, body.error?.data?.title]).toEqual([404, 1, -32601, 'METHOD_NOT_FOUND'])
  })

  test('is answered with its kind, its server and no session', async () => {
    const answer = await askModern(
      hub.url,
      'server/discover',
      {},
      {},
      { 'Mcp-Session-Id': 'old', 'Last-Event-ID': '3' },
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect(answer.body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [MODERN],
      capabilities: { tools: {} },
      cacheScope: 'public',
      ttlMs: expect.any(Number),
      _meta: { [META_KEYS.serverInfo]: { name: 'synchub', version: '0.1.0' } },
    })
  })
})

describe('a legacy request', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('that opens with %s is answered %s', async (wanted, given) => {
    const params = { protocolVersion: wanted, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const answer = await postMcp(hub.url, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
    expect([answer.status, answer.body.id]).toEqual([200, 0])
    expect(answer.body.result).toMatchObject({ protocolVersion: given, serverInfo: { name: 'synchub' } })
    expect(answer.body.result).not.toHaveProperty('resultType')
    expect(answer.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]+$/)
  })

  test('that opens without a version is refused', async () => {
    const { status, body } = await askLegacy(hub.url, 'initialize')
    expect([status, body.error?.code]).toEqual([200, -32602])
  })

  test('that opens with a capability that is no object is told its place', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: { form: true } } }
    const { status, body } = await askLegacy(hub.url, 'initialize', params)
    expect([status, body.error?.code, body.error?.data?.path]).toEqual([200, -32602, 'capabilities.elicitation.form'])
  })

  test('that opens under a modern header is refused', async () => {
    const { status, body } = await askLegacy(hub.url, 'initialize', {}, { 'MCP-Protocol-Version': MODERN })
    expect([status, body.error?.code]).toEqual([400, -32020])
  })

  test('needs no version, and may name no unknown one', async () => {
    expect((await postMcp(hub.url, list())).status).toBe(200)
    const refused = await askLegacy(hub.url, 'tools/list', {}, { 'MCP-Protocol-Version': '2099-01-01' })
    expect([refused.status, refused.body.error?.code]).toEqual([400, -32600])
  })

  test.each(['server/discover', 'subscriptions/listen', 'no/such'])('has no %s', async (method) => {
    const { status, body } = await askLegacy(hub.url, method)
    expect([status, body.id, body.error?.code]).toEqual([200, 1, -32601])
  })

  test('is answered to a ping', async () => {
    expect((await askLegacy(hub.url, 'ping')).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })
})

describe('what is no request', () => {
  test.each<[string, string, number, number]>([
    ['no JSON', '{', 400, -32700],
    ['a batch', JSON.stringify([list(modernMeta())]), 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a posted response', JSON.stringify({ jsonrpc: '2.0', id: 7, result: {} }), 400, -32600],
    ['another version of JSON-RPC', JSON.stringify({ ...list(), jsonrpc: '1.0' }), 400, -32600],
    [
      'params that are no object, which had the status of a wrong argument',
      JSON.stringify({ ...list(), params: [] }),
      400,
      -32602,
    ],
  ])('is %s: refused in the era that the header names', async (kind, text, status, code) => {
    const modern = await postMcpText(hub.url, text, MODERN_HEADERS)
    expect([modern.status, await errorCode(modern)]).toEqual([status, code])
    const legacy = await postMcpText(hub.url, text, { 'MCP-Protocol-Version': '2025-11-25' })
    // What HTTP is told of a response that nobody has asked for is the one thing that this era leaves to it.
    expect([legacy.status, await errorCode(legacy)]).toEqual([kind === 'a posted response' ? 400 : 200, code])
  })

  test.each([0, 1, 2, 51])('is a batch of %i, which was told how many it may hold', async (length) => {
    const answer = await postMcpText(hub.url, JSON.stringify(Array(length).fill(list(modernMeta()))), MODERN_HEADERS)
    const body = (await answer.json()) as { readonly error: { readonly message: string } }
    expect(body.error.message).toBe('Invalid Request: a batch is not taken here: send one message')
  })

  test('has no id in its answer where none could be read', async () => {
    const answer = await postMcpText(hub.url, '{', MODERN_HEADERS)
    expect(await answer.json()).not.toHaveProperty('id')
  })

  test.each(['notifications/initialized', 'notifications/cancelled', 'notifications/no/such'])(
    'is a notification: 202 and nothing, known or not: %s',
    async (method) => {
      const frame = { jsonrpc: '2.0', method, params: { requestId: 7 } }
      for (const version of [undefined, '2025-11-25', MODERN]) {
        const answer = await postMcpText(hub.url, JSON.stringify(frame), { 'MCP-Protocol-Version': version })
        expect([answer.status, await answer.text()]).toEqual([202, ''])
      }
    },
  )

  test('is a notification of an unknown revision', async () => {
    const frame = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const answer = await postMcpText(hub.url, JSON.stringify(frame), { 'MCP-Protocol-Version': '2099-01-01' })
    expect([answer.status, await errorCode(answer)]).toEqual([400, -32022])
  })
})

describe('HTTP', () => {
  test.each(['GET', 'DELETE', 'PUT'])('has no %s here', async (method) => {
    const answer = await fetch(`${hub.url}/mcp`, { method, headers: { Accept: 'text/event-stream' } })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await answer.json()).not.toHaveProperty('id')
  })

  test.each<[string, Record<string, string>, number]>([
    ['another media type', { 'Content-Type': 'text/plain' }, 415],
    ['a form that is not served', { Accept: 'image/png' }, 406],
    ['a foreign Origin', { Origin: 'http://evil.example' }, 403],
  ])('refuses %s, without an id', async (_case, headers, status) => {
    const { frame, headers: own } = modernRequest('tools/list')
    const answer = await postMcp(hub.url, frame, { ...own, ...headers })
    expect([answer.status, answer.body.id]).toEqual([status, undefined])
    expect(answer.body.error?.data?.status).toBe(status)
  })

  test('lets pages of this machine send what a modern request needs', async () => {
    const answer = await fetch(`${hub.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:3000',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'mcp-name, Mcp-Param-City, x-other',
      },
    })
    const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining(['mcp-protocol-version', 'mcp-name', 'mcp-param-city', 'traceparent']),
    )
    expect(allowed).not.toContain('x-other')
  })
})

async function errorCode(answer: Response): Promise<number | undefined> {
  return ((await answer.json()) as { error?: { code: number } }).error?.code
}
