import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { request } from '../hub-requests.js'
import { type HubPlace, openPlace } from '../running-hub.js'
import { until } from '../until.js'
import { callOnPath, firstItem, type PathBody, postToPath } from './path-requests.js'
import { manifestTool, sending, serveToolService, type ToolAnswer, type ToolService } from './tool-service.js'

const TIMEOUT_MS = 1500

let service: ToolService
let place: HubPlace
let address: string

beforeAll(async () => {
  service = await serveToolService([
    manifestTool('search'),
    manifestTool('broken', { inputSchema: { type: 'no type' } }),
  ])
  const path = { name: 'hr', url: service.url, manifest: 'manifest.json', timeoutMs: TIMEOUT_MS }
  const away = { name: 'away', url: 'http://127.0.0.1:1/', manifest: 'manifest.json' }
  place = await openPlace({ publicPaths: { '/hr': path, '/away': away } })
  address = `${(await place.startHub()).url}/hr`
})
afterAll(closeAll)

const call = (params: unknown, id: unknown = 7) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
const NAME = { name: 'search' }
const NO_BATCH = 'Invalid Request: a batch is not taken here: send one message'

const textLike = (wanted: string | RegExp): unknown =>
  typeof wanted === 'string' ? wanted : expect.stringMatching(wanted)

// The rows of the table in the order of the contract: S1.9.
describe('a message that fails before its tool is asked', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, unknown, number, string | RegExp]>([
    ['bad JSON', '{', null, -32700, 'Parse Error: the body is not a JSON text'],
    ['no JSON at all', '', null, -32700, /^Parse Error: /],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), null, -32700, 'Parse Error: the body is not UTF-8'],
    ['an envelope that is no object', '"hi"', null, -32600, /^Invalid Request: /],
    ['an envelope of another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600, /"jsonrpc"/],
    ['an envelope without a method', '{"jsonrpc":"2.0","id":"a"}', 'a', -32600, /"method"/],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600, /"id"/],
    ['an id that is no name', '{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600, /"id"/],
    ['a response that nobody asked for', '{"jsonrpc":"2.0","id":7,"result":{}}', 7, -32600, /"method"/],
    ['a batch', `[${call({ ...NAME, arguments: { query: 'x' } })}]`, null, -32600, NO_BATCH],
    ['an empty batch, which was told to hold more', '[]', null, -32600, NO_BATCH],
    ['a batch that is too long for all, which was told to hold less', `[${'1,'.repeat(50)}1]`, null, -32600, NO_BATCH],
    ['a name twice', '{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}', 8, -32600, /twice/],
    ['an unknown method', JSON.stringify(request('tools/run', {}, 7)), 7, -32601, /^Method Not Found: /],
    ['a task method', JSON.stringify(request('tasks/get', { taskId: 'x' }, 7)), 7, -32601, /^Method Not Found: /],
    [
      'an unknown tool',
      call({ name: 'nothing', arguments: {} }),
      7,
      -32601,
      /the tool nothing is not registered at hr/,
    ],
    [
      'a qualified name',
      call({ name: 'hr.search', arguments: { query: 'x' } }),
      7,
      -32601,
      /hr\.search is not registered/,
    ],
    ['a name that no tool can have', call({ name: '없는 도구', arguments: {} }), 7, -32601, /^Method Not Found: /],
    ['an empty name', call({ name: '', arguments: {} }), 7, -32601, /^Method Not Found: /],
    ['no name', call({ arguments: {} }), 7, -32602, "Invalid params: 'name' is required"],
    ['a name that is no text', call({ name: 5 }), 7, -32602, 'Invalid params: name must be a string'],
    ['arguments of null', call({ ...NAME, arguments: null }), 7, -32602, 'Invalid params: arguments must be an object'],
    [
      'arguments by position',
      call({ ...NAME, arguments: ['x'] }),
      7,
      -32602,
      'Invalid params: arguments must be an object',
    ],
    [
      'a required argument missing',
      call({ ...NAME, arguments: {} }, ''),
      '',
      -32602,
      "Invalid params: 'query' is required",
    ],
    ['no arguments', call(NAME, 0), 0, -32602, "Invalid params: 'query' is required"],
    [
      'an argument of another type',
      call({ ...NAME, arguments: { query: 1 } }),
      7,
      -32602,
      'Invalid params: query must be a string',
    ],
    ['params by position', call(['search']), 7, -32602, 'Invalid params: params must be an object'],
    ['a tool whose schema is broken', call({ name: 'broken', arguments: {} }), 7, -32603, /schema/],
  ])('is HTTP 200 with a top-level error: %s', async (_, body, id, code, message) => {
    const before = service.calls.length
    const response = await postToPath(address, body)
    const answer = (await response.json()) as PathBody
    expect(response.status).toBe(200)
    expect(Object.keys(answer).toSorted()).toEqual(['error', 'id', 'jsonrpc'])
    expect([answer.id, answer.error?.code]).toEqual([id, code])
    expect(answer.error?.message).toEqual(textLike(message))
    expect(answer.error?.data.guid).toBe(response.headers.get('guid'))
    expect(answer.error?.message).toContain(answer.error?.data.cause)
    expect(service.calls).toHaveLength(before)
  })

  test('is -32603 where the server cannot begin: its registry is away', async () => {
    for (const method of ['tools/call', 'tools/list']) {
      const response = await postToPath(address.replace('/hr', '/away'), JSON.stringify(request(method, NAME, 7)))
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({
        id: 7,
        error: {
          code: -32603,
          data: { title: 'AGENT_UNAVAILABLE', guid: expect.any(String), cause: expect.any(String) },
        },
      })
    }
  })

  test('is recorded where it names a tool, as every refused call is', async () => {
    const params = { name: 'nothing', arguments: {}, _meta: { traceId: 'refused-ab' } }
    await postToPath(address, call(params))
    const trace = await fetch(new URL('/traces/refused-ab', address))
    expect(await trace.json()).toMatchObject({ calls: [{ agent: 'hr', tool: 'nothing', state: 'refused' }] })
  })
})

const slowBody: ToolAnswer = (res) => {
  res.writeHead(200, { 'Content-Type': 'text/plain' })
  res.write('the first half')
}

describe('a tool that was asked and did not do it', () => {
  test.each<[string, ToolAnswer, RegExp, string | undefined]>([
    [
      'its own business rule',
      sending('application/json', '{"code":"NO_LEAVE"}', 400),
      /^\{"code":"NO_LEAVE"\}$/,
      undefined,
    ],
    ['an unknown employee', sending('text/plain', '없는 사원', 404), /^없는 사원$/, undefined],
    ['no permission downstream', sending('text/plain', 'not yours', 403), /^not yours$/, undefined],
    ['no login downstream', sending('text/plain', '', 401), /HTTP 401/, undefined],
    ['a fault', sending('text/plain', 'boom', 500), /^boom$/, undefined],
    ['a page of a proxy', sending('text/html', '<h1>Bad Gateway</h1>', 502), /Bad Gateway/, undefined],
    ['too many requests', sending('text/plain', '', 429), /HTTP 429/, undefined],
    ['an empty success with a body to come', sending('', 'x'), /without a media type/, 'CONTRACT_BROKEN'],
    ['no JSON', sending('application/json', '{'), /no JSON/, 'CONTRACT_BROKEN'],
    ['no UTF-8', sending('text/plain', Buffer.from([0xff])), /UTF-8/, 'CONTRACT_BROKEN'],
    ['another kind of body', sending('application/pdf', '%PDF'), /application\/pdf/, 'CONTRACT_BROKEN'],
    [
      'a redirect',
      (res) => res.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
      /redirects/,
      'CONTRACT_BROKEN',
    ],
    [
      'a compressed body',
      (res) => res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }).end('x'),
      /encoded/,
      'CONTRACT_BROKEN',
    ],
    [
      'more than anybody can hold',
      sending('text/plain', Buffer.alloc(33 * 1024 ** 2, 'x')),
      /larger than/,
      'CONTRACT_BROKEN',
    ],
    [
      'a connection that is reset',
      (res) => res.socket?.resetAndDestroy(),
      /may or may not have acted/,
      'OUTCOME_UNKNOWN',
    ],
    [
      'half of an answer',
      (res) => {
        res.writeHead(200, { 'Content-Length': 10 })
        res.write('half', () => res.destroy())
      },
      /may or may not have acted/,
      'OUTCOME_UNKNOWN',
    ],
    ['silence', () => undefined, /did not end within 1500 ms/, 'OUTCOME_UNKNOWN'],
    ['a body that never ends', slowBody, /did not end within 1500 ms/, 'OUTCOME_UNKNOWN'],
  ])('is a result with isError: %s', async (_, answer, text, title) => {
    service.behave(answer)
    const response = await callOnPath(address, 'search')
    expect(response.status).toBe(200)
    expect(Object.keys(response.body).toSorted()).toEqual(['id', 'jsonrpc', 'result'])
    const { isError, content, _meta: meta } = response.body.result as JsonObject & { _meta: JsonObject }
    expect(isError).toBe(true)
    expect(content).toHaveLength(1)
    expect(firstItem(response)).toMatchObject({ type: 'text', _meta: { searchTime: expect.any(Number) } })
    expect(firstItem(response).text).toMatch(text)
    expect(meta.title).toBe(title)
  })

  test('is a result with isError when its service is gone since it listed its tools', async () => {
    const gone = await serveToolService([manifestTool('search')])
    const other = await openPlace({
      publicPaths: { '/gone': { name: 'gone', url: gone.url, manifest: 'manifest.json' } },
    })
    const url = `${(await other.startHub()).url}/gone`
    expect((await callOnPath(url, 'search')).body.result).toMatchObject({ isError: false })
    await gone.goDown()
    const answer = await callOnPath(url, 'search')
    expect(answer.body.result).toMatchObject({ isError: true, _meta: { title: 'AGENT_UNAVAILABLE' } })
  })

  test('is a result with isError when the hub stops while it works: nobody waits in vain', async () => {
    const silent = await serveToolService([manifestTool('search')], () => undefined)
    const settings = { name: 'slow', url: silent.url, manifest: 'manifest.json' }
    const hub = await (await openPlace({ publicPaths: { '/slow': settings } })).startHub()
    const answer = callOnPath(`${hub.url}/slow`, 'search')
    await until(() => silent.calls.length === 1)
    await hub.stop()
    expect((await answer).body.result).toMatchObject({ isError: true, _meta: { title: 'OUTCOME_UNKNOWN' } })
  })

  test('is not asked a second time, whatever it did', async () => {
    const before = service.calls.length
    service.behave((res) => res.socket?.resetAndDestroy())
    await callOnPath(address, 'search')
    expect(service.calls).toHaveLength(before + 1)
  })
})

test.each([
  ['text', 'text/plain', 'fine'],
  ['a page', 'text/html; charset=utf-8', '<h1>근속 안내</h1>'],
])('a tool that ends well is a result without isError, its %s as it is', async (_, type, text) => {
  service.behave(sending(type, text))
  const answer = await callOnPath(address, 'search')
  expect([answer.status, answer.body.result?.isError]).toEqual([200, false])
  expect(firstItem(answer)).toMatchObject({ type: 'text', text })
})
