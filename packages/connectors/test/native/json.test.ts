import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { HubError, toErrorObject } from '@synchub/protocol'
import { createNativeConnection } from '../../src/index.js'
import { atEnd, closeAll } from '../cleanup.js'
import { call, REQUEST } from '../seen-call.js'
import { callRogue, connect, json, outcomeOf, response, sending, serveRogue } from './rogue-agent.js'

const result = { content: [{ type: 'text', text: '안녕' }], isError: false }
const answer = { jsonrpc: '2.0', id: REQUEST.callId, result }
const JSON_TYPE = { 'Content-Type': 'application/json' }
const broken = (reason: string | RegExp) => ({
  kind: 'broken',
  error: { code: 'CONTRACT_BROKEN', reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) },
})

afterEach(closeAll)

describe('the native connection, answered as JSON', () => {
  test('sends the call with its identity, and takes the result', async () => {
    const agent = await serveRogue(sending(json({ ...answer, result: { ...result, structuredContent: { n: 0 } } })))
    const seen = await call(connect(`${agent.url}/agents/rogue?v=1`, { secret: 'open-sesame' }))
    expect(seen.outcome).toEqual({ kind: 'result', result: { ...result, structuredContent: { n: 0 } } })
    const [head = '', body = ''] = agent.requests.at(0)?.split('\r\n\r\n') ?? []
    expect(head).toMatch(/^POST \/agents\/rogue\?v=1 HTTP\/1\.1\r\n/)
    expect(head).toMatch(/^authorization: Bearer open-sesame$/im)
    expect(head).toMatch(/^accept: application\/json, text\/event-stream$/im)
    expect(head).not.toMatch(/accept-encoding/i)
    const { tool, arguments: args, ...meta } = REQUEST
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 'call-1',
      method: 'tools/call',
      params: { name: tool, arguments: args, _meta: meta },
    })
  })

  test('reads an answer whatever its chunks, also those that cut a character', async () => {
    const bytes = Buffer.from(json(answer))
    const chunks = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))
    expect(await outcomeOf(...chunks)).toEqual({ kind: 'result', result })
  })

  test('takes an error object with its code and details, whatever the HTTP status', async () => {
    const error = new HubError('HITL_APPROVAL_REQUIRED', 'the index changes', { detail: 'Index modification' })
    const body = { jsonrpc: '2.0', id: 'call-1', error: toErrorObject(error, '/tools/call/work') }
    for (const status of ['403 Forbidden', '200 OK', '500 Internal Server Error']) {
      const outcome = await outcomeOf(json(body, status))
      expect(outcome).toMatchObject({
        kind: 'error',
        error: { code: 'HITL_APPROVAL_REQUIRED', reason: 'the index changes' },
      })
      expect(outcome).toMatchObject({
        error: { details: { detail: 'Index modification', instance: '/tools/call/work' } },
      })
    }
  })

  test('takes an error with the id null: the agent had not read the id', async () => {
    const body = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse Error: no JSON' } }
    expect(await outcomeOf(json(body, '400 Bad Request'))).toMatchObject({
      kind: 'error',
      error: { code: 'PARSE_ERROR', reason: 'no JSON' },
    })
  })

  test('keeps the result of a tool that failed apart from an error', async () => {
    const failed = { ...answer, result: { ...result, isError: true } }
    expect(await outcomeOf(json(failed))).toEqual({ kind: 'result', result: { ...result, isError: true } })
  })

  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  test.each<[string, string | Buffer, string | RegExp]>([
    [
      'HTML',
      response('200 OK', { 'Content-Type': 'text/html' }, '<p>hi</p>'),
      'HTTP 200 came as text/html, not as JSON or an event stream',
    ],
    ['no media type', response('200 OK', {}, '{}'), 'HTTP 200 came as nothing, not as JSON or an event stream'],
    ['nothing', response('202 Accepted', {}, ''), /^HTTP 202 came as nothing/],
    [
      'a redirect',
      response('307 Elsewhere', { Location: 'http://127.0.0.1:1/' }, ''),
      'HTTP 307 redirects, which is never followed',
    ],
    [
      'a redirect with JSON',
      response('302 Found', { Location: '/', 'Content-Type': 'application/json' }, '{}'),
      /redirects/,
    ],
    [
      'a compressed body',
      response('200 OK', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, 'x'),
      /encoded as gzip/,
    ],
    ['no JSON', json('{"jsonrpc":'), 'the answer is no JSON'],
    [
      'a NUL in its JSON',
      json('{"jsonrpc":"2.0","id":"call-1","result":{"content":[],"a":"\0"}}'),
      'the answer is no JSON',
    ],
    [
      'text that is not UTF-8',
      Buffer.concat([Buffer.from(json('')), Buffer.from([0x22, 0xff, 0x22])]),
      'the answer is not UTF-8',
    ],
    ['a list', json([answer]), 'the answer is no JSON object'],
    ['another JSON-RPC', json({ ...answer, jsonrpc: '1.0' }), /"jsonrpc" is not "2\.0"/],
    ['the id of another call', json({ ...answer, id: 'call-2' }), "the answer's id is not that of the request"],
    ['a result without an id', json({ ...answer, id: null }), "the answer's id is not that of the request"],
    [
      'an error of another call',
      json({ jsonrpc: '2.0', id: 'call-2', error: { code: -1, message: '' } }),
      /id is not that/,
    ],
    ['both a result and an error', json({ ...answer, error: { code: 1, message: '' } }), /both a result and an error/],
    ['neither a result nor an error', json({ jsonrpc: '2.0', id: 'call-1' }), /neither a result nor an error/],
    ['an error that is no object', json({ jsonrpc: '2.0', id: 'call-1', error: 'no' }), 'error is no object'],
    [
      'an error without a code',
      json({ jsonrpc: '2.0', id: 'call-1', error: { message: 'x' } }),
      'error.code is no whole number',
    ],
    [
      'an error without a message',
      json({ jsonrpc: '2.0', id: 'call-1', error: { code: -1 } }),
      'error.message is no text',
    ],
    ['a result that is no object', json({ ...answer, result: null }), /broken at result: expected an object/],
    ['an empty result', json({ ...answer, result: {} }), /expected content or structuredContent/],
    ['content without a type', json({ ...answer, result: { content: [{}] } }), /broken at result\.content/],
    [
      'token counts that do not add up',
      json({
        ...answer,
        result: { ...result, _meta: { tokenUsage: { promptTokens: 1, completionTokens: 1, totalTokens: 1 } } },
      }),
      /totalTokens/,
    ],
    ['a result under an HTTP error', json(answer, '500 Oops'), 'HTTP 500 came with a result'],
    [
      'an answer nested without a bound',
      json(`{"jsonrpc":"2.0","id":"call-1","result":{"content":[],"a":${deep}}}`),
      'the answer is nested deeper than 128 levels',
    ],
    ['what is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'its answer is no HTTP'],
    [
      'headers that are too large',
      response('200 OK', { 'X-Padding': 'x'.repeat(20_000) }, ''),
      'its headers are too large',
    ],
  ])('calls it broken when the agent sends %s', async (_, bytes, reason) => {
    expect(await outcomeOf(bytes)).toMatchObject(broken(reason))
  })

  test('calls an answer broken that is larger than the bound, without reading it on', async () => {
    const agent = await serveRogue((socket) => {
      socket.write(json(''))
      const write = () => {
        while (!socket.destroyed && socket.write('x'.repeat(1000)));
      }
      socket.on('drain', write)
      write()
    })
    const { outcome } = await call(connect(agent.url, { maxResultBytes: 10_000 }))
    expect(outcome).toMatchObject(broken('the answer is larger than 10000 bytes'))
  })

  test('takes an answer of exactly the bound', async () => {
    const text = JSON.stringify(answer)
    const sized = (maxResultBytes: number) => callRogue(sending(json(text)), { maxResultBytes })
    expect((await sized(Buffer.byteLength(text))).outcome.kind).toBe('result')
    expect((await sized(Buffer.byteLength(text) - 1)).outcome.kind).toBe('broken')
  })

  test.each<[string, string, string]>([
    [
      'with the reason of an agent',
      json(
        { jsonrpc: '2.0', id: 'call-1', error: toErrorObject(new HubError('AGENT_UNAVAILABLE', 'it is full'), '/') },
        '503 x',
      ),
      'it is full',
    ],
    ['of a proxy', response('503 x', { 'Content-Type': 'text/html' }, '<p>down</p>'), 'the agent answers HTTP 503'],
    ['whose body breaks off', response('503 x', { 'Content-Length': '99' }, 'x'), 'the agent answers HTTP 503'],
  ])('takes a 503 %s for an agent that has done nothing', async (_, bytes, reason) => {
    expect(await outcomeOf(bytes)).toMatchObject({ kind: 'unreachable', error: { code: 'AGENT_UNAVAILABLE', reason } })
  })

  test.each([
    [401, "the agent does not accept the hub's secret (HTTP 401)"],
    [403, "the agent does not accept the hub's secret (HTTP 403)"],
    [429, 'the agent takes no more calls for now (HTTP 429)'],
  ])('tells a plain %d apart: the agent was not at work', async (status, reason) => {
    const outcome = await outcomeOf(response(`${status} x`, { 'Content-Type': 'text/plain' }, 'no'))
    expect(outcome).toMatchObject({ kind: 'unreachable', error: { code: 'AGENT_UNAVAILABLE', reason } })
  })

  test('does not know the outcome when the agent or a gateway failed', async () => {
    for (const status of [500, 502, 504]) {
      const reason = `the agent, or what stands before it, answered HTTP ${status}`
      const outcome = await outcomeOf(response(`${status} x`, { 'Content-Type': 'text/html' }, '<p>bad gateway</p>'))
      expect(outcome).toMatchObject({ kind: 'lost', error: { code: 'OUTCOME_UNKNOWN', reason } })
    }
  })

  test.each<[string, readonly string[]]>([
    ['before its answer', []],
    ['in its headers', ['HTTP/1.1 200 OK\r\nContent-']],
    ['in its body', ['HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"json']],
    ['in a chunk', ['HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"j']],
    ['in the body of its last answer', [response('200 OK', { ...JSON_TYPE, 'Content-Length': '500' }, '{"json')]],
    [
      'in a chunk of its last answer',
      [response('200 OK', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, '5\r\n{"j')],
    ],
  ])('does not know the outcome when the connection ends %s', async (_, chunks) => {
    const lost = {
      kind: 'lost',
      error: { code: 'OUTCOME_UNKNOWN', reason: expect.stringMatching(/^the connection to the agent was lost/) },
    }
    expect(await outcomeOf(...chunks)).toMatchObject(lost)
    const reset = await callRogue(async (socket, request) => {
      await sending(...chunks)(
        { write: socket.write.bind(socket), end: () => socket.resetAndDestroy() } as typeof socket,
        request,
      )
    })
    expect(reset.outcome).toMatchObject(lost)
  })
})

describe('the native connection, to nobody', () => {
  const unreachable = (reason: RegExp) => ({
    kind: 'unreachable',
    error: { code: 'AGENT_UNAVAILABLE', reason: expect.stringMatching(reason) },
  })

  test('knows that nothing was done when the connection is refused', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const { outcome } = await call(connect(`http://127.0.0.1:${port}`))
    expect(outcome).toMatchObject(unreachable(/^the agent cannot be reached \(ECONNREFUSED\)$/))
  })

  test('knows that nothing was done when the name does not exist', async () => {
    const { outcome } = await call(connect('http://agent.invalid:4101'))
    expect(outcome).toMatchObject(unreachable(/cannot be reached \((ENOTFOUND|EAI_AGAIN)\)/))
  })

  test('knows that nothing was done when TLS fails', async () => {
    const server = createServer((socket) => socket.resume().end('not TLS')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    atEnd(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as AddressInfo
    expect((await call(connect(`https://127.0.0.1:${port}`))).outcome).toMatchObject({ kind: 'unreachable' })
  })

  test('refuses a URL that is none of HTTP', () => {
    expect(() => createNativeConnection({ url: 'ftp://agent' })).toThrow(
      "the agent's URL ftp://agent must begin with http: or https:",
    )
  })
})

describe('the native connection, aborted', () => {
  test.each<[string, readonly string[]]>([
    ['before its answer', []],
    ['in its headers', ['HTTP/1.1 200 OK\r\nContent-']],
    ['in its body', ['HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"json']],
    ['in the body of a 503', ['HTTP/1.1 503 x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"json']],
  ])('leaves an agent that hangs %s, and says that it was us', async (_, chunks) => {
    const controller = new AbortController()
    const agent = await serveRogue(async (socket) => {
      for (const chunk of chunks) socket.write(chunk)
      socket.on('close', () => undefined)
      setImmediate(() => controller.abort())
    })
    expect((await call(connect(agent.url), controller.signal)).outcome).toEqual({ kind: 'aborted' })
    while (agent.connections().open > 0) await new Promise(setImmediate)
  })

  test('asks nobody when it was aborted before', async () => {
    const agent = await serveRogue(sending(json(answer)))
    expect((await call(connect(agent.url), AbortSignal.abort())).outcome).toEqual({ kind: 'aborted' })
    expect(agent.requests).toEqual([])
  })
})
