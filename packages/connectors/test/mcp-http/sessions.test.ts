import { afterEach, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { call } from '../seen-call.js'
import { connectTo, type Exchange, serveRogueMcp } from './rogue-server.js'

const never = new AbortController().signal
const answer = ({ result }: Exchange) => result({ resultType: 'complete', content: [] })

afterEach(closeAll)

describe('the session with an MCP server over HTTP', () => {
  test('is opened when it is wanted, by one handshake for all', async () => {
    const server = await serveRogueMcp('legacy', { 'tools/call': answer })
    const connection = connectTo(server.url)
    expect(server.exchanges).toEqual([])
    await Promise.all([call(connection), call(connection), connection.listTools(never)])
    expect(server.of('initialize')).toHaveLength(1)
    expect(server.of('notifications/initialized')).toHaveLength(1)
    expect(server.of('tools/call')).toHaveLength(2)
  })

  test('offers the revisions that the hub knows, and takes an older one', async () => {
    const server = await serveRogueMcp('legacy', {
      initialize: ({ result }) =>
        result({
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'old', version: '1' },
        }),
      'tools/call': answer,
    })
    expect((await call(connectTo(server.url))).outcome.kind).toBe('result')
    expect(server.of('initialize')[0]?.message.params).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: {},
    })
    expect(server.of('tools/call')[0]?.headers['mcp-protocol-version']).toBe('2025-06-18')
  })

  test('is opened anew when the server does not know it any more, and the call is made there', async () => {
    const server = await serveRogueMcp('legacy', { 'tools/call': answer })
    const connection = connectTo(server.url)
    await call(connection)
    server.forgetSessions()
    expect((await call(connection)).outcome.kind).toBe('result')
    server.forgetSessions()
    expect((await connection.listTools(never)).offers).toHaveLength(1)
    expect(server.of('initialize')).toHaveLength(3)
    const sessions = server.of('tools/call').map(({ headers }) => headers['mcp-session-id'])
    expect(new Set(sessions).size).toBe(2)
  })

  test('is opened anew also where the server says so in the words of the official example', async () => {
    let refused = 0
    const server = await serveRogueMcp('legacy', {
      'tools/call'(exchange) {
        if (refused++ > 0) return answer(exchange)
        const error = { code: -32000, message: 'Bad Request: No valid session ID provided' }
        return exchange.json({ jsonrpc: '2.0', id: exchange.message.id, error }, 400)
      },
    })
    expect((await call(connectTo(server.url))).outcome.kind).toBe('result')
    expect(server.of('initialize')).toHaveLength(2)
  })

  test('is not opened for ever where the server forgets at once', async () => {
    const server = await serveRogueMcp('legacy', {
      'tools/call': ({ json }) =>
        json({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404),
    })
    expect((await call(connectTo(server.url))).outcome).toMatchObject({ kind: 'error' })
    expect(server.of('tools/call')).toHaveLength(2)
  })

  test('is opened anew when another server has taken the place of the first', async () => {
    let isNew = false
    const server = await serveRogueMcp('legacy', {
      'server/discover': (exchange) => {
        if (!isNew) return exchange.json({ error: 'no' }, 400)
        const capabilities = { tools: {} }
        const versions = { supportedVersions: ['2026-07-28'], ttlMs: 0, cacheScope: 'private' }
        return exchange.result({ resultType: 'complete', capabilities, ...versions })
      },
      'tools/call'(exchange) {
        if (!isNew || exchange.headers['mcp-method'] !== undefined) return answer(exchange)
        const data = { supported: ['2026-07-28'], requested: '2025-11-25' }
        const error = { code: -32022, message: 'Unsupported protocol version', data }
        return exchange.json({ jsonrpc: '2.0', id: exchange.message.id, error }, 400)
      },
    })
    const connection = connectTo(server.url)
    expect((await call(connection)).outcome.kind).toBe('result')
    isNew = true
    expect((await call(connection)).outcome.kind).toBe('result')
    expect(server.of('tools/call').at(-1)?.headers['mcp-protocol-version']).toBe('2026-07-28')
  })

  test('says goodbye to a server that keeps it', async () => {
    const server = await serveRogueMcp('legacy', { 'tools/call': answer })
    const connection = connectTo(server.url)
    await call(connection)
    await connection.close()
    const goodbye = server.exchanges.find(({ method }) => method === 'DELETE')
    expect(goodbye?.headers['mcp-session-id']).toBe(server.of('tools/call')[0]?.headers['mcp-session-id'])
    expect((await call(connection)).outcome).toMatchObject({ kind: 'unreachable' })
  })

  test('has a limit for its beginning', async () => {
    const server = await serveRogueMcp('modern', { 'server/discover': () => undefined })
    const connection = connectTo(server.url, { startTimeoutMs: 100 })
    expect((await call(connection)).outcome).toMatchObject({
      kind: 'unreachable',
      error: { code: 'AGENT_UNAVAILABLE', reason: expect.stringMatching(/within 100 ms|timed out after 100ms/) },
    })
  })

  test('does not keep a caller who stops waiting while it is opened', async () => {
    const controller = new AbortController()
    const server = await serveRogueMcp('modern', { 'server/discover': () => controller.abort() })
    const connection = connectTo(server.url)
    expect((await call(connection, controller.signal)).outcome).toEqual({ kind: 'aborted' })
    await expect(connection.listTools(AbortSignal.timeout(50))).rejects.toMatchObject({
      code: 'AGENT_UNAVAILABLE',
      reason: 'the agent did not list its tools in time',
    })
  })

  test.each<[string, number, object]>([
    ['does not know us', 401, { kind: 'error', error: { code: 'UNAUTHENTICATED' } }],
    ['is not there', 404, { kind: 'unreachable', error: { code: 'AGENT_UNAVAILABLE' } }],
    ['is down', 503, { kind: 'unreachable', error: { code: 'AGENT_UNAVAILABLE' } }],
    ['breaks', 500, { kind: 'unreachable', error: { code: 'AGENT_UNAVAILABLE' } }],
  ])('cannot be opened with a server that %s: nothing was done', async (_, status, outcome) => {
    const refuse = ({ res }: Exchange) => res.writeHead(status, { 'Content-Type': 'text/plain' }).end('no')
    const server = await serveRogueMcp('legacy', { 'server/discover': refuse, initialize: refuse })
    const connection = connectTo(server.url)
    expect((await call(connection)).outcome).toMatchObject(outcome)
    await expect(connection.listTools(never)).rejects.toMatchObject({ code: 'AGENT_UNAVAILABLE' })
  })
})

describe('the tools of an MCP server over HTTP', () => {
  const page = (more: JsonObject) => ({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private', ...more })
  const tool = { name: 'work', inputSchema: { type: 'object' } }

  test('are listed anew each time, page by page, and a broken one is refused alone', async () => {
    const server = await serveRogueMcp('modern', {
      'tools/list': ({ message, result }) => {
        const { cursor } = message.params as JsonObject
        if (cursor === undefined) result(page({ tools: [tool, { name: 7 }], nextCursor: '' }))
        else
          result(
            page({
              tools: [
                { ...tool, name: 'last', execution: { taskSupport: 'required' } },
                { ...tool, name: 'b' },
              ],
            }),
          )
      },
    })
    const connection = connectTo(server.url)
    for (const _ of [1, 2]) {
      const { offers, refused } = await connection.listTools(never)
      expect(offers.map(({ name }) => name)).toEqual(['work', 'b'])
      expect(refused).toEqual([
        { kind: 'tool', reason: 'its name must be 1 to 128 characters of A-Z a-z 0-9 . _ / -' },
        { kind: 'tool', name: 'last', reason: 'it runs as an MCP task only, and the hub keeps its calls by itself' },
      ])
    }
    expect(server.of('tools/list')).toHaveLength(4)
  })

  test('are a broken contract where the list as a whole is broken', async () => {
    for (const result of [{}, { tools: 'none' }]) {
      const server = await serveRogueMcp('modern', { 'tools/list': (exchange) => exchange.result(page(result)) })
      await expect(connectTo(server.url).listTools(never)).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' })
    }
    const error = { code: -32601, message: 'Method not found' }
    const server = await serveRogueMcp('legacy', {
      'tools/list': ({ json, message }) => json({ jsonrpc: '2.0', id: message.id, error }),
    })
    await expect(connectTo(server.url).listTools(never)).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' })
  })

  test('filled the store when each was small in number and large in size', async () => {
    const server = await serveRogueMcp('modern', {
      'tools/list': ({ result, message }) => {
        const at = Number((message.params as JsonObject).cursor ?? 0)
        const large = { ...tool, name: `tool-${at}`, description: 'd'.repeat(3 * 1024 ** 2) }
        result(page({ tools: [large], nextCursor: String(at + 1) }))
      },
    })
    await expect(connectTo(server.url).listTools(never)).rejects.toMatchObject({
      code: 'CONTRACT_BROKEN',
      reason: 'the agent lists more than 8388608 bytes of tools',
    })
    expect(server.of('tools/list')).toHaveLength(3)
  })

  const inputSchema = {
    type: 'object',
    properties: { city: { type: 'string', 'x-mcp-header': 'City' }, size: { type: 'integer', 'x-mcp-header': 'Size' } },
  }
  const wanting = {
    'tools/list': ({ result }: Exchange) => result(page({ tools: [{ ...tool, inputSchema }] })),
    'tools/call'(exchange: Exchange) {
      if (exchange.headers['mcp-param-city'] !== undefined) return answer(exchange)
      const error = { code: -32020, message: 'Header mismatch: Mcp-Param-City is missing' }
      return exchange.json({ jsonrpc: '2.0', id: exchange.message.id, error }, 400)
    },
  }

  test('get the headers that they want', async () => {
    const server = await serveRogueMcp('modern', wanting)
    const connection = connectTo(server.url)
    await connection.listTools(never)
    const args = { city: '서울', size: 7 }
    expect((await call(connection, never, { arguments: args })).outcome.kind).toBe('result')
    expect(server.of('tools/call').at(-1)?.headers).toMatchObject({
      'mcp-param-city': `=?base64?${Buffer.from('서울').toString('base64')}?=`,
      'mcp-param-size': '7',
    })
  })

  test('get them at once from a process that has not listed them, and sent none until it was refused', async () => {
    const server = await serveRogueMcp('modern', wanting)
    await call(connectTo(server.url), never, { arguments: { city: '서울' }, inputSchema })
    expect(server.of('tools/call').map(({ headers }) => headers['mcp-param-city'])).toEqual([
      `=?base64?${Buffer.from('서울').toString('base64')}?=`,
    ])
    expect(server.of('tools/list')).toHaveLength(0)
  })

  test('get them also from a process that knows no schema of theirs', async () => {
    const server = await serveRogueMcp('modern', wanting)
    expect((await call(connectTo(server.url))).outcome.kind).toBe('result')
    expect(server.of('tools/list')).toHaveLength(1)
    expect(server.of('tools/call')).toHaveLength(2)
  })
})
