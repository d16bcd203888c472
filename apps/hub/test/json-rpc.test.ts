import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { closeAll } from './cleanup.js'
import { callFrame, postRpc, postText, type RpcBody, readAnswer, request } from './hub-requests.js'
import { type RunningHub, runHub } from './running-hub.js'
import { echoTool, serveTools } from './served-agent.js'

let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([echoTool])
  hub = await runHub({
    agents: { Echo: { url: agent.url, mode: 'direct' } },
    limits: { maxBatchSize: 5 },
  })
})

afterAll(closeAll)

describe('a request on POST /rpc', () => {
  test.each([0, '', -7, 2.5, 1e-7, 'x'.repeat(1000), '0', 2 ** 53 - 1, -(2 ** 53 - 1), '한글 🎓'])(
    'comes back with its id %p as it was sent',
    async (id) => {
      const answer = await postRpc(hub.url, request('ping', {}, id))
      expect(answer.status).toBe(200)
      expect(answer.body).toStrictEqual({ jsonrpc: '2.0', id, result: {} })
    },
  )

  test.each(['9007199254740993', '9007199254740992', '-9007199254740993', '1e400', '123456789012345678901234567890'])(
    'with the id %s, which JavaScript cannot hold, is refused and not rounded',
    async (id) => {
      const response = await postText(hub.url, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
      const { status, body } = await readAnswer(response)
      expect(status).toBe(400)
      expect(body.id).toBeNull()
      expect(body.error).toMatchObject({ code: -32600, data: { title: 'INVALID_REQUEST', status: 400 } })
      expect(body.error?.message).toMatch(/^Invalid Request: .*exactly/)
    },
  )

  test.each([null, {}, [], true, false, [1]])('with the id %p is refused', async (id) => {
    const { status, body } = await postRpc(hub.url, request('ping', {}, id))
    expect(status).toBe(400)
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  })

  test('for a method that does not exist is answered -32601 with 404', async () => {
    const { status, body } = await postRpc(hub.url, request('tools/destroy', {}, 7))
    expect(status).toBe(404)
    expect(body).toMatchObject({ id: 7, error: { code: -32601, data: { title: 'METHOD_NOT_FOUND', status: 404 } } })
    expect(body.error?.message).toBe('Method Not Found: there is no method "tools/destroy"')
  })

  test.each(['toString', '__proto__', 'constructor'])('for the method %s finds nothing by accident', async (method) => {
    expect((await postRpc(hub.url, request(method))).body.error?.code).toBe(-32601)
  })

  test.each([
    ['a string', '"x"', -32600],
    ['a number', '3', -32600],
    ['null', 'null', -32600],
    ['an array', '[1]', -32602],
  ])('whose params are %s keeps its id in the refusal', async (_what, params, code) => {
    const response = await postText(hub.url, `{"jsonrpc":"2.0","id":"mine","method":"tools/call","params":${params}}`)
    const { status, body } = await readAnswer(response)
    expect(status).toBe(code === -32600 ? 400 : 422)
    expect(body).toMatchObject({ id: 'mine', error: { code } })
  })

  test.each([
    [{ name: 7 }, 'name', 'string'],
    [{ name: 'echo', arguments: [] }, 'arguments', 'object'],
    [{ name: 'echo', arguments: 'x' }, 'arguments', 'object'],
    [{ name: 'echo', arguments: null }, 'arguments', 'object'],
    [{ name: 'echo', _meta: [] }, '_meta', 'object'],
    [{ name: 'echo', _meta: { traceId: 7 } }, '_meta.traceId', 'string'],
    [{ name: 'echo', _meta: { timeoutMs: '5' } }, '_meta.timeoutMs', 'number'],
  ])('for tools/call with %j is refused with the place', async (params, path, expected) => {
    const { status, body } = await postRpc(hub.url, request('tools/call', params, 0))
    expect(status).toBe(422)
    expect(body.id).toBe(0)
    expect(body.error).toMatchObject({ code: -32602, data: { title: 'INVALID_PARAMS', status: 422, path, expected } })
    expect(body.error?.message).toMatch(/^Invalid params: /)
  })

  test('without the name of a tool says that it is required', async () => {
    const { body } = await postRpc(hub.url, request('tools/call', { arguments: {} }))
    expect(body.error?.message).toBe("Invalid params: 'name' is required")
    expect(body.error?.data).toMatchObject({ path: 'name', instance: '/tools/call' })
  })

  test.each([
    ['{"jsonrpc":"2.0","id":"mine","id":"mine","method":"ping"}', 'mine'],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":1,"a":2}}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":1,"\\u0061":2}}', 3],
  ])('with a name that stands twice is refused: %s', async (text, id) => {
    const { status, body } = await readAnswer(await postText(hub.url, text))
    expect(status).toBe(400)
    expect(body).toMatchObject({ id, error: { code: -32600 } })
    expect(body.error?.message).toContain('stands twice')
  })

  test.each([10_000, 1_000_000])('nested %d levels deep is refused with its id', async (depth) => {
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
    const response = await postText(hub.url, `{"jsonrpc":"2.0","id":"deep","method":"ping","params":{"a":${nested}}}`)
    const { status, body } = await readAnswer(response)
    expect(status).toBe(400)
    expect(body).toMatchObject({ id: 'deep', error: { code: -32600, data: { limit: 64 } } })
  })

  test('nested 10000 levels deep costs the hub no time', async () => {
    const startedAtMs = performance.now()
    await postText(hub.url, '['.repeat(10_000) + ']'.repeat(10_000))
    expect(performance.now() - startedAtMs).toBeLessThan(2000)
  })

  test('may be nested to the limit, and no deeper', async () => {
    const nest = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const post = (levels: number) =>
      postText(hub.url, `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nest(levels)}}`)
    expect((await post(63)).status).toBe(200)
    expect((await post(64)).status).toBe(400)
  })

  test.each([
    '',
    '{',
    '{"jsonrpc":"2.0",}',
    'NaN',
    "{'a':1}",
    '{"jsonrpc":"2.0","id":1,"method":"ping"} x',
    '\ufeff{}',
  ])('that is not JSON is a parse error: %j', async (text) => {
    const { status, body } = await readAnswer(await postText(hub.url, text))
    expect(status).toBe(400)
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700, data: { title: 'PARSE_ERROR' } } })
    expect(body.error?.message).toMatch(/^Parse Error: /)
  })

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a sequence that is cut', [0xf0, 0x9f, 0x8e]],
  ])('that is not UTF-8 is a parse error: %s', async (_what, bytes) => {
    const head = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"')
    const { status, body } = await readAnswer(
      await postText(hub.url, Buffer.concat([head, Buffer.from(bytes), Buffer.from('"}}')])),
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({ id: null, error: { code: -32700 } })
  })

  test.each(['3', '"x"', 'null', 'true', '{}', '{"id":5}', '{"jsonrpc":"1.0","id":5,"method":"ping"}'])(
    'that is JSON and no request is invalid: %s',
    async (text) => {
      const { status, body } = await readAnswer(await postText(hub.url, text))
      expect(status).toBe(400)
      expect(body).toMatchObject({ id: text.includes('5') ? 5 : null, error: { code: -32600 } })
    },
  )

  test('keeps Korean and emoji through the tool and back', async () => {
    const args = { city: '서울 🎓\u2028\u2029\u0085', 키: '값' }
    const { body } = await postRpc(hub.url, callFrame('echo', args))
    expect(body.result?.structuredContent).toStrictEqual(args)
  })
})

describe('a notification', () => {
  test.each(['notifications/initialized', 'notifications/tools/list_changed', 'tools/list', 'nonsense'])(
    'is taken without an answer: %s',
    async (method) => {
      const response = await postText(hub.url, JSON.stringify({ jsonrpc: '2.0', method }))
      expect(response.status).toBe(202)
      expect(response.headers.get('content-length')).toBe('0')
      expect((await response.arrayBuffer()).byteLength).toBe(0)
    },
  )

  test('is not answered either when its params are by position', async () => {
    const response = await postText(hub.url, '{"jsonrpc":"2.0","method":"ping","params":[1]}')
    expect([response.status, await response.text()]).toEqual([202, ''])
  })

  test('for tools/call makes no call', async () => {
    const frame = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo', _meta: { traceId: 'notified' } } }
    expect((await postText(hub.url, JSON.stringify(frame))).status).toBe(202)
    expect((await fetch(`${hub.url}/traces/notified`)).status).toBe(404)
  })
})

describe('a batch', () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

  test('that is empty is one invalid request', async () => {
    const { status, body } = await postRpc(hub.url, [])
    expect(status).toBe(400)
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  })

  test('of something else than requests is answered in its places', async () => {
    const { status, body } = await postRpc<RpcBody[]>(hub.url, [1])
    expect(status).toBe(200)
    expect(body).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code: -32600 } }])
  })

  test('of notifications alone has no answer', async () => {
    const response = await postText(hub.url, JSON.stringify([notification, notification]))
    expect(response.status).toBe(202)
    expect(await response.text()).toBe('')
  })

  test('answers each request and no notification', async () => {
    const { status, body } = await postRpc<RpcBody[]>(hub.url, [
      request('ping', {}, 0),
      notification,
      { ...callFrame('echo', { city: 'Seoul' }), id: '' },
      request('nonsense', {}, 'c'),
      { jsonrpc: '2.0', id: null, method: 'ping' },
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: 0, result: {} },
      { id: '', result: { structuredContent: { city: 'Seoul' }, isError: false } },
      { id: 'c', error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ])
  })

  test('may be as large as the bound, and no larger', async () => {
    const frames = (count: number) => Array.from({ length: count }, (_, id) => request('ping', {}, id))
    expect((await postRpc<RpcBody[]>(hub.url, frames(5))).body).toHaveLength(5)
    const { status, body } = await postRpc(hub.url, frames(6))
    expect(status).toBe(400)
    expect(body).toMatchObject({ id: null, error: { code: -32600, data: { limit: 5 } } })
  })

  test('inside a batch is no request', async () => {
    const { body } = await postRpc<RpcBody[]>(hub.url, [[request('ping')]])
    expect(body).toMatchObject([{ id: null, error: { code: -32600 } }])
  })
})
