import { afterEach, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import {
  bridgeTo,
  closeBridges,
  handshake,
  legacy,
  modern,
  notice,
  openStream,
  type PostedMessage,
  sendMessage,
  sendResult,
} from './bridged-hub.js'
import { until } from './until.js'

afterEach(closeBridges)

const endedStream = (posted: PostedMessage) => {
  openStream(posted)
  posted.res.end()
}

describe('a hub that is away', () => {
  test('fails each request with an error of its own, and serves the next one when it is back', async () => {
    const hub = await bridgeTo((posted) => handshake(posted) || sendResult(posted, {}))
    hub.send(legacy(0, 'initialize', {}))
    await hub.next()
    await hub.goDown()
    hub.send(legacy(1, 'ping'))
    hub.send(modern(2, 'tools/list'))
    const errors = [await hub.next(), await hub.next()].toSorted((left, right) => Number(left.id) - Number(right.id))
    for (const [at, { id, error }] of errors.entries()) {
      expect(id).toBe(at + 1)
      expect(error).toMatchObject({ code: -31503, data: { title: 'HUB_UNAVAILABLE', nextStep: expect.any(String) } })
      expect((error as JsonObject).message).toContain(hub.url)
    }
    hub.send(notice('notifications/roots/list_changed'))
    await until(() => hub.logs.some((line) => line.includes('notifications/roots/list_changed did not reach the hub')))
    hub.send({ jsonrpc: '2.0', id: 'asked', result: {} })
    await until(() => hub.logs.some((line) => line.includes('the answer to what the hub asked did not reach the hub')))
    await hub.comeBack()
    hub.send(legacy(3, 'ping'))
    expect(await hub.next()).toMatchObject({ id: 3, result: {} })
    hub.send(modern(4, 'ping'))
    expect(await hub.next()).toMatchObject({ id: 4, result: {} })
  })

  test.each<[string, (posted: PostedMessage) => unknown, JsonObject]>([
    [
      'cuts an answer',
      ({ res }) =>
        res
          .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 99 })
          .write('{', () => res.destroy()),
      { code: -31503 },
    ],
    ['ends a stream without an answer', endedStream, { code: -31503 }],
    ['answers nothing', ({ res }) => res.writeHead(204).end(), { code: -31503 }],
    [
      'is a proxy’s page',
      ({ res }) => res.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>'),
      { code: -31503 },
    ],
    [
      'is something else',
      ({ res }) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>'),
      { code: -31007 },
    ],
    [
      'answers another request',
      (posted) => sendMessage(posted, { jsonrpc: '2.0', id: 99, result: {} }),
      { code: -31007 },
    ],
    [
      'does not take the key',
      (posted) =>
        sendMessage(
          posted,
          { jsonrpc: '2.0', error: { code: -31401, message: 'no', data: { title: 'UNAUTHENTICATED' } } },
          { status: 401 },
        ),
      { code: -31401, data: { title: 'UNAUTHENTICATED' } },
    ],
    [
      'answers an error without an id',
      (posted) =>
        sendMessage(posted, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } }, { status: 400 }),
      { code: -32700 },
    ],
  ])('or %s: the request gets an error under its id', async (_, script, error) => {
    const hub = await bridgeTo(script)
    hub.send(modern('q', 'tools/list'))
    expect(await hub.next()).toMatchObject({ jsonrpc: '2.0', id: 'q', error })
  })
})

describe('lines that are no messages', () => {
  test.each<[string, string, JsonObject]>([
    ['no JSON', '{', { error: { code: -32700 } }],
    ['a batch', '[]', { error: { code: -32600 } }],
    ['no envelope', '{"id":1,"method":"ping"}', { id: 1, error: { code: -32600 } }],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', { error: { code: -32600 } }],
  ])('are answered here: %s', async (_, line, answer) => {
    const hub = await bridgeTo((posted) => sendResult(posted, {}))
    hub.send(line)
    const written = await hub.next()
    expect(written).toMatchObject(answer)
    expect('id' in written).toBe('id' in answer)
    hub.send(modern(2, 'ping'))
    expect(await hub.next()).toMatchObject({ id: 2 })
    expect(hub.posted).toHaveLength(1)
  })

  test('or an id that is under way already', async () => {
    const waiting: PostedMessage[] = []
    const hub = await bridgeTo((posted) => waiting.push(posted))
    hub.send(modern(1, 'ping'))
    hub.send(modern(1, 'tools/list'))
    expect(await hub.next()).toMatchObject({
      id: 1,
      error: { code: -32600, message: expect.stringContaining('is open') },
    })
    await until(() => waiting.length === 1)
    for (const posted of waiting) sendResult(posted, {})
    expect(await hub.next()).toMatchObject({ id: 1, result: {} })
  })
})

describe('the end of the input', () => {
  test('lets answers that are nearly there arrive, and waits for no stream that never ends', async () => {
    const hub = await bridgeTo((posted) => {
      if (posted.body.method === 'subscriptions/listen')
        openStream(posted)(notice('notifications/subscriptions/acknowledged'))
      else setImmediate(() => sendResult(posted, {}))
    })
    hub.send(modern('listen', 'subscriptions/listen'))
    await hub.next()
    hub.send(modern(1, 'ping'))
    hub.send(modern(2, 'ping'))
    const rest = await hub.end()
    expect(new Set(rest.map(({ id }) => id))).toEqual(new Set([1, 2]))
  })

  test('gives up what takes longer', async () => {
    const hub = await bridgeTo(() => undefined)
    hub.send(modern(1, 'tools/call', { name: 'work' }))
    await until(() => hub.posted.length === 1)
    expect(await hub.end()).toEqual([])
  })
})
