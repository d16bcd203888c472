import { afterEach, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { call, REQUEST } from '../seen-call.js'
import { type Behaviour, connectTo, type Exchange, serveRogueMcp } from './rogue-server.js'

afterEach(closeAll)

/** Calls a server that answers the call so. */
async function callRogue(
  era: 'legacy' | 'modern',
  answer: (exchange: Exchange) => unknown,
  options: Parameters<typeof connectTo>[1] = {},
  more: Behaviour = {},
) {
  const server = await serveRogueMcp(era, { 'tools/call': answer, ...more })
  return { server, ...(await call(connectTo(server.url, options))) }
}

const broken = (reason: string | RegExp) => ({
  kind: 'broken',
  error: { code: 'CONTRACT_BROKEN', reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
})

const ERAS = [
  { era: 'legacy', headers: { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': expect.any(String) } },
  {
    era: 'modern',
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'work' },
  },
] as const

describe.each(ERAS)('an MCP server of the $era era over HTTP', ({ era, headers }) => {
  const complete = (result: JsonObject) => (era === 'modern' ? { resultType: 'complete', ...result } : result)

  test('is asked with the identity of the call, and our own progress token', async () => {
    const { server, outcome } = await callRogue(era, ({ result }) => result(complete({ content: [] })))
    expect(outcome).toEqual({ kind: 'result', result: { content: [], isError: false } })
    const [exchange] = server.of('tools/call')
    const { tool, arguments: args, ...meta } = REQUEST
    expect(exchange?.message.params).toMatchObject({
      name: tool,
      arguments: args,
      _meta: { ...meta, progressToken: `${REQUEST.callId}.${REQUEST.attempt}` },
    })
    expect(exchange?.headers).toMatchObject(headers)
  })

  test('has every kind of content passed on as it is, also kinds that nobody knows', async () => {
    const content = [
      { type: 'text', text: '', annotations: { audience: ['user'], priority: 0 }, _meta: { 'a/b': [1] }, extra: null },
      { type: 'image', data: 'aGk=', mimeType: 'image/png', annotations: { lastModified: '2026-01-01T00:00:00Z' } },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: 'x', _meta: {} }, annotations: {} },
      { type: 'resource', resource: { uri: 'a://c', blob: 'aGk=' } },
      { type: 'resource_link', uri: 'a://d', name: 'd', title: 'D', size: 0, icons: [] },
      { type: 'hologram', depth: { of: ['field', 1e300] }, '': false },
    ]
    const structuredContent = { deep: { list: [null, 0, ''] } }
    const { outcome } = await callRogue(era, ({ result }) =>
      result(complete({ content, structuredContent, isError: true, _meta: { searchTime: 5 } })),
    )
    expect(outcome).toEqual({ kind: 'result', result: { content, structuredContent, isError: true } })
    expect(JSON.stringify(outcome)).toContain(JSON.stringify(content).slice(1, -1))
  })

  test.each<[string, JsonObject, string | RegExp]>([
    ['without content', {}, /expected content or structuredContent/],
    ['with content that is no list', { content: 'hi' }, /broken at result\.content: expected an array/],
    ['with an item without a type', { content: [{ text: 'hi' }] }, /broken at result\.content\.0\.type/],
    ['with text that is none', { content: [{ type: 'text', text: 7 }] }, /broken at result\.content\.0\.text/],
    ['with a flag that is none', { content: [], isError: 'no' }, /broken at result\.isError/],
  ])('breaks its contract with a result %s', async (_, result, reason) => {
    const { outcome } = await callRogue(era, (exchange) => exchange.result(complete(result)))
    expect(outcome).toMatchObject(broken(reason))
  })

  test('breaks its contract with a result nested without a bound', async () => {
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`
    const { outcome } = await callRogue(era, ({ json, message }) => {
      const result = JSON.stringify(complete({ content: [] })).slice(0, -1)
      json(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result},"deep":${deep}}}`)
    })
    expect(outcome).toMatchObject(broken('the result is nested deeper than 128 levels'))
  })

  test.each<[string, JsonObject, string, string]>([
    ['JSON-RPC', { code: -32602, message: 'Invalid params: city' }, 'INVALID_PARAMS', 'city'],
    ['its own kind', { code: -32001, message: 'timed out' }, 'INTERNAL_ERROR', 'timed out (code -32001)'],
    ['a stranger', { code: -32002, message: 'no budget' }, 'INTERNAL_ERROR', 'no budget (code -32002)'],
    [
      'our table',
      { code: -31001, message: 'HITL Approval Required: look', data: { title: 'HITL_APPROVAL_REQUIRED' } },
      'HITL_APPROVAL_REQUIRED',
      'look',
    ],
  ])('answers with an error of %s', async (_, error, code, reason) => {
    const { outcome } = await callRogue(era, ({ json, message }) => json({ jsonrpc: '2.0', id: message.id, error }))
    expect(outcome).toMatchObject({ kind: 'error', error: { code, reason } })
  })

  test('has refused before it had read the id when its error has none', async () => {
    const error = { code: -32600, message: 'Invalid Request: no' }
    const { outcome } = await callRogue(era, ({ json }) => json({ jsonrpc: '2.0', error }))
    expect(outcome).toMatchObject({ kind: 'error', error: { code: 'INVALID_REQUEST', reason: 'no' } })
  })

  const html = (status: number) => (exchange: Exchange) => {
    exchange.res.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>oops</p>')
  }
  test.each<[string, (exchange: Exchange) => unknown, object]>([
    ['HTML', html(200), broken(/^Unexpected content type: text\/html/)],
    ['HTML with 500', html(500), broken('the agent answers HTTP 500 without a JSON-RPC error')],
    ['nothing', ({ res }) => res.writeHead(202).end(), broken('the agent answered without an answer to the request')],
    ['no JSON', ({ json }) => json('{"jsonrpc":'), broken('the agent sent what is no JSON-RPC')],
    ['what is no JSON-RPC', ({ json }) => json({ hello: 1 }), broken('the agent sent what is no JSON-RPC')],
    [
      'the id of another request',
      ({ json }) => json({ jsonrpc: '2.0', id: 4711, result: complete({ content: [] }) }),
      broken("the answer's id is not that of the request"),
    ],
    [
      'text that is not UTF-8',
      ({ res }) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0x22])),
      broken('the answer is not UTF-8'),
    ],
    [
      'a compressed body',
      ({ res }) => res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end('x'),
      broken('its answer is encoded as gzip, which nobody asked for'),
    ],
    ['that it is full', html(503), { kind: 'unreachable', error: { reason: 'the agent answers HTTP 503' } }],
    ['that it has enough', html(429), { kind: 'unreachable', error: { reason: 'the agent answers HTTP 429' } }],
    ['that it does not know us', html(401), { kind: 'error', error: { code: 'UNAUTHENTICATED' } }],
    ['by way of a gateway that gave up', html(504), { kind: 'lost', error: { code: 'OUTCOME_UNKNOWN' } }],
    ['by hanging up', ({ res }) => res.destroy(), { kind: 'lost', error: { code: 'OUTCOME_UNKNOWN' } }],
    [
      'half an answer',
      ({ res }) => {
        res
          .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' })
          .write('{"json', () => res.destroy())
      },
      { kind: 'lost', error: { code: 'OUTCOME_UNKNOWN' } },
    ],
  ])('is understood when it answers %s', async (_, answer, outcome) => {
    expect((await callRogue(era, answer)).outcome).toMatchObject(outcome)
  })

  test('is taken at its word when it answers an error with an HTTP status', async () => {
    const error = { code: -32602, message: 'Invalid params: no' }
    const { outcome } = await callRogue(era, ({ json, message }) =>
      json({ jsonrpc: '2.0', id: message.id, error }, 422),
    )
    expect(outcome).toMatchObject({ kind: 'error', error: { code: 'INVALID_PARAMS', reason: 'no' } })
  })

  test('is called again after a broken answer', async () => {
    let calls = 0
    const server = await serveRogueMcp(era, {
      'tools/call': (exchange) => (++calls === 1 ? exchange.json('{') : exchange.result(complete({ content: [] }))),
    })
    const connection = connectTo(server.url)
    expect((await call(connection)).outcome.kind).toBe('broken')
    expect((await call(connection)).outcome.kind).toBe('result')
  })
})

describe('an MCP server of the modern era over HTTP', () => {
  test.each<[string, JsonObject, string | RegExp]>([
    ['without the kind of its result', { content: [] }, /missing required resultType/],
    [
      'with a task that nobody asked for',
      { resultType: 'task', taskId: 't', status: 'working' },
      /Unsupported result type 'task'/,
    ],
    [
      'with a question of a kind that there is not',
      { resultType: 'input_required', inputRequests: { q: { method: 'user/ask', params: {} } } },
      /inputRequests\.q: expected a request of elicitation\/create/,
    ],
  ])('breaks its contract %s', async (_, result, reason) => {
    const { outcome } = await callRogue('modern', (exchange) => exchange.result(result))
    expect(outcome).toMatchObject(broken(reason))
  })

  test('asks what the caller is to answer, and gets its answers with the state that it gave along', async () => {
    const question = { method: 'elicitation/create', params: { mode: 'form', message: '?', requestedSchema: {} } }
    const asked = { resultType: 'input_required', inputRequests: { q: question }, requestState: 'opaque' }
    const { outcome, server } = await callRogue('modern', (exchange) => exchange.result(asked))
    expect(outcome).toEqual({ kind: 'input', input: asked })
    expect(server.of('tools/call')).toHaveLength(1)
  })

  test('may ask for another round of the same request', async () => {
    const { outcome, server } = await callRogue('modern', ({ message, result }) => {
      const { requestState } = message.params as JsonObject
      if (requestState === undefined) result({ resultType: 'input_required', requestState: 'opaque' })
      else result({ resultType: 'complete', content: [{ type: 'text', text: requestState }] })
    })
    expect(outcome).toMatchObject({ kind: 'result', result: { content: [{ text: 'opaque' }] } })
    expect(server.of('tools/call').map(({ message }) => (message.params as JsonObject)._meta)).toEqual([
      expect.objectContaining({ progressToken: 'call-1.2', callId: 'call-1' }),
      expect.objectContaining({ progressToken: 'call-1.2', callId: 'call-1' }),
    ])
  })
})
