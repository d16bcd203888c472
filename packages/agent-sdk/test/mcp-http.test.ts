import { afterEach, describe, expect, test } from '@jest/globals'
import { definePrompt, defineResource, defineTool, ToolError } from '../src/index.js'
import { askLegacy, askModern, legacyBody, MODERN, modernBody, modernHeaders } from './mcp-requests.js'
import { closeAll, type PostInit, post, postJson, serve as serveTools } from './served-agent.js'

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false }
const echo = defineTool<{ text?: string }>({
  name: 'echo',
  description: 'Says it again.',
  inputSchema,
  handler: ({ text = '' }) => text,
})
const ask = defineTool({
  name: 'ask',
  description: 'Needs an approval.',
  inputSchema: { type: 'object' },
  outputSchema: { anyOf: [{ type: 'object' }] },
  handler: () => {
    throw new ToolError('HITL_APPROVAL_REQUIRED', 'ask first', { approvalTicketId: 't-1' })
  },
})
const note = defineResource({
  uri: 'note://x/{id}',
  name: 'notes',
  read: ({ id }) => (id === '한' ? 'a note' : undefined),
})
const greet = definePrompt({ name: 'greet', description: 'Greets.', write: () => 'Greet.' })

const serve = (options: Parameters<typeof serveTools>[1] = {}) =>
  serveTools([echo, ask], options, { prompts: [greet], resources: [note] })

const postMcp = (url: string, body: string, init: PostInit = {}) => postJson(`${url}/mcp`, body, init)

afterEach(closeAll)

describe('the opening of a legacy client', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('that speaks %s gets %s', async (protocolVersion, answered) => {
    const { url } = await serve()
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    const response = await post(`${url}/mcp`, legacyBody('initialize', params))
    expect(response.headers.get('mcp-session-id')).toMatch(/^[\w-]{36}$/)
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: answered,
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name: 'Tester', version: '1.0.0' },
      },
    })
  })

  test('announces only what the agent offers', async () => {
    const { url } = await serveTools([echo])
    const { body } = await askLegacy(url, 'initialize', { protocolVersion: '2025-11-25' })
    expect(body).toMatchObject({ result: { capabilities: { tools: {} } } })
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) {
      expect((await askLegacy(url, method)).body).toMatchObject({ error: { code: -32601 } })
    }
  })

  test('is followed by a notification and a refused stream', async () => {
    const { url } = await serve()
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect((await post(`${url}/mcp`, notification)).status).toBe(202)
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${url}/mcp`, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })
})

describe('MCP in the legacy era', () => {
  test('lists tools, with an outputSchema only where the era can read it', async () => {
    const { url } = await serve()
    const { body } = await askLegacy(url, 'tools/list')
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        tools: [
          { name: 'echo', description: 'Says it again.', inputSchema },
          { name: 'ask', description: 'Needs an approval.', inputSchema: { type: 'object' } },
        ],
      },
    })
  })

  test('answers errors on status 200 under the codes of the era', async () => {
    const { url } = await serve()
    const refusals = [
      ['tools/call', { name: 'shout' }, -32602, 'Unknown tool: shout'],
      ['tools/call', { name: 'echo', arguments: { text: 1 } }, -32602, 'text must be a string'],
      ['tools/call', { name: 'ask' }, -32001, 'ask first'],
      ['tools/list', { cursor: 'x' }, -32602, 'one page'],
      ['prompts/get', { name: 'shout' }, -32602, 'Unknown prompt: shout'],
      ['resources/read', { uri: 'note://x/..' }, -32002, 'no resource note://x/..'],
      ['resources/list', { cursor: 'bm8' }, -32602, 'cursor'],
      ['resources/list', { cursor: 7 }, -32602, 'cursor'],
      ['server/discover', {}, -32601, 'server/discover'],
      ['logging/setLevel', {}, -32601, 'logging/setLevel'],
      ['toString', {}, -32601, 'toString'],
    ] as const
    for (const [method, params, code, reason] of refusals) {
      const message = expect.stringContaining(reason)
      expect(await askLegacy(url, method, params)).toMatchObject({
        status: 200,
        body: { id: 1, error: { code, message } },
      })
    }
    expect(await postMcp(url, '{"jsonrpc"')).toMatchObject({ status: 200, body: { error: { code: -32700 } } })
    expect((await postMcp(url, '[]')).body).not.toHaveProperty('id')
    expect(await askLegacy(url, 'ping')).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } })
  })

  test('refuses a revision that it does not speak, and a modern one without its metadata', async () => {
    const { url } = await serve()
    const under = (version: string, method = 'ping') =>
      askLegacy(url, method, {}, { headers: { 'MCP-Protocol-Version': version } })
    expect(await under('2025-06-18')).toMatchObject({ status: 200, body: { result: {} } })
    expect(await under('2025-03-26')).toMatchObject({ status: 400, body: { id: 1, error: { code: -32600 } } })
    expect(await under(MODERN)).toMatchObject({ status: 400, body: { error: { code: -32602 } } })
    expect(await under(MODERN, 'initialize')).toMatchObject({ status: 400, body: { error: { code: -32020 } } })
  })
})

describe('MCP in the modern era', () => {
  test('is discovered without an opening', async () => {
    const { url } = await serve()
    expect(await askModern(url, 'server/discover')).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: [MODERN],
          capabilities: { tools: {}, prompts: {}, resources: {} },
          ttlMs: expect.any(Number),
          cacheScope: 'public',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'Tester', version: '1.0.0' } },
        },
      },
    })
  })

  test('says of each result that it is whole, and how long it may be kept', async () => {
    const { url } = await serve()
    const hints = { resultType: 'complete', ttlMs: expect.any(Number), cacheScope: expect.any(String) }
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      expect((await askModern(url, method)).body).toMatchObject({ result: hints })
    }
    const call = await askModern(url, 'tools/call', { name: 'echo', arguments: { text: 'x' } })
    expect(call.body).toMatchObject({
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: 'x' }],
        _meta: { callId: expect.any(String), 'io.modelcontextprotocol/serverInfo': {} },
      },
    })
    expect(call.body).not.toHaveProperty('result.ttlMs')
  })

  test('answers errors under its own codes and statuses', async () => {
    const { url } = await serve()
    const refusals = [
      ['tools/call', { name: 'shout' }, 200, -32602],
      ['tools/call', { name: 'ask' }, 200, -31001],
      ['tools/call', { name: 'echo', arguments: { text: 1 } }, 200, -32602],
      ['initialize', {}, 404, -32601],
      ['ping', {}, 404, -32601],
      ['subscriptions/listen', {}, 404, -32601],
    ] as const
    for (const [method, params, status, code] of refusals) {
      expect(await askModern(url, method, params)).toMatchObject({ status, body: { id: 1, error: { code } } })
    }
    expect(await postMcp(url, '{', { headers: modernHeaders('ping') })).toMatchObject({ status: 400 })
  })

  test('reads a resource by a name that no header can hold', async () => {
    const { url } = await serve()
    const uri = 'note://x/%ED%95%9C'
    const read = (name: string) =>
      postMcp(url, modernBody('resources/read', { uri }), { headers: modernHeaders('resources/read', name) })
    const encoded = Buffer.from(uri).toString('base64')
    expect(await read(`=?base64?${encoded}?=`)).toMatchObject({ body: { result: { contents: [{ text: 'a note' }] } } })
    expect(await read(`=?base64?${encoded}=?=`)).toMatchObject({ status: 400, body: { error: { code: -32020 } } })
    expect(await read('=?base64?/w==?=')).toMatchObject({ status: 400, body: { error: { code: -32020 } } })
    const missing = await askModern(url, 'resources/read', { uri: 'note://x/none' })
    expect(missing).toMatchObject({ status: 200, body: { error: { code: -32602, data: { uri: 'note://x/none' } } } })
  })

  test('refuses requests whose headers and metadata do not agree, each by its rule', async () => {
    const { url } = await serve()
    const [call, name] = ['tools/call', 'echo']
    const all = modernHeaders(call, name)
    const without = (header: string) => Object.fromEntries(Object.entries(all).filter(([key]) => key !== header))
    const key = 'io.modelcontextprotocol/protocolVersion'
    const body = (meta: object) => modernBody(call, { name, _meta: meta })
    const refusals = [
      ['no version header', body({}), without('MCP-Protocol-Version'), -32020],
      ['no method header', body({}), without('Mcp-Method'), -32020],
      ['no name header', body({}), without('Mcp-Name'), -32020],
      ['another method', body({}), { ...all, 'Mcp-Method': 'Tools/call' }, -32020],
      ['another name', body({}), { ...all, 'Mcp-Name': 'ask' }, -32020],
      ['another version', body({}), { ...all, 'MCP-Protocol-Version': '2025-11-25' }, -32020],
      ['no capabilities', body({ 'io.modelcontextprotocol/clientCapabilities': null }), all, -32602],
      ['a version that is no text', body({ [key]: 1 }), all, -32602],
      ['a name for progress that is none', body({ progressToken: {} }), all, -32602],
    ] as const
    for (const [, text, headers, code] of refusals) {
      expect(await postMcp(url, text, { headers })).toMatchObject({ status: 400, body: { id: 1, error: { code } } })
    }
    const byPosition = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: [1] })
    expect(await postMcp(url, byPosition, { headers: all })).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32602 } },
    })
    const future = { ...all, 'MCP-Protocol-Version': '2027-01-01' }
    expect(await postMcp(url, body({ [key]: '2027-01-01' }), { headers: future })).toMatchObject({
      status: 400,
      body: { error: { code: -32022, data: { supported: [MODERN], requested: '2027-01-01' } } },
    })
  })
})

describe('a resource', () => {
  test('that is too large or fails unexpectedly is an internal error, told to the log alone', async () => {
    const huge = defineResource({ uri: 'x://huge', name: 'huge', read: () => 'x'.repeat(2_000) })
    const broken = defineResource({
      uri: 'x://broken',
      name: 'broken',
      read: () => {
        throw new Error('the disk is gone')
      },
    })
    const { url, logs } = await serveTools([], { maxAnswerBytes: 1_000 }, { resources: [huge, broken] })
    for (const uri of ['x://huge', 'x://broken']) {
      const { body } = await askModern(url, 'resources/read', { uri })
      expect(body).toMatchObject({ error: { code: -32603 } })
      expect(JSON.stringify(body)).not.toMatch(/bytes|disk/)
    }
    expect(logs.filter(({ level }) => level === 'error').map(({ err }) => String(err).split('\n')[0])).toEqual([
      expect.stringContaining('more than the 1000 that are sent'),
      'Error: the disk is gone',
    ])
  })
})

describe('the guard of MCP', () => {
  test('lets in nobody whom the native endpoint would refuse, and names no id', async () => {
    const { url } = await serve({ secret: 'open-sesame' })
    const response = await post(`${url}/mcp`, legacyBody('ping'))
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await response.json()).not.toHaveProperty('id')
    const headers = { Authorization: 'Bearer open-sesame' }
    expect((await askLegacy(url, 'ping', {}, { headers })).status).toBe(200)
  })

  test('refuses foreign pages, other media types and answers that it cannot give', async () => {
    const { url } = await serve({ maxBodyBytes: 200 })
    const status = async (headers: Record<string, string>, body = legacyBody('ping')) =>
      (await postMcp(url, body, { headers })).status
    expect(await status({ Origin: 'http://evil.test' })).toBe(403)
    expect(await status({ 'Content-Type': 'text/plain' })).toBe(415)
    expect(await status({ Accept: 'text/html' })).toBe(406)
    expect(await status({}, legacyBody('ping', { text: 'x'.repeat(200) }))).toBe(413)
    expect(await status({ Accept: '*/*' })).toBe(200)
  })
})
