import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { closeAll } from './cleanup.js'
import { postRpc, request } from './hub-requests.js'
import { askRaw, bodyOf, connectRaw } from './raw-connection.js'
import { type RunningHub, runHub } from './running-hub.js'
import { echoTool, serveTools } from './served-agent.js'
import { until } from './until.js'

let hub: RunningHub
let agentUrl: string

beforeAll(async () => {
  agentUrl = (await serveTools([echoTool])).url
  hub = await runHub({ agents: { Echo: { url: agentUrl, mode: 'direct' } } })
})

afterAll(closeAll)

const HEAD = 'POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'

describe.each([
  ['the hub', () => hub.url],
  ['an agent', () => agentUrl],
])('%s', (_who, urlOf) => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'this is no request of HTTP/1.1'],
    ['two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400, 'this is no request'],
    ['a header that is too large', `${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'the headers are too large'],
    ['an expectation', `${HEAD}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`, 417, 'the Expect header asks for'],
  ])('answers %s as JSON, where it answered without a body', async (_what, text, status, reason) => {
    const connection = await connectRaw(urlOf())
    connection.socket.write(text)
    const answer = await connection.answer()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8'])
    expect(bodyOf(answer)).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.stringContaining(reason), data: { title: 'INVALID_REQUEST', status } },
    })
    await until(() => connection.isClosed())
  })
})

test.each([
  ['the hub', () => hub.url],
  ['an agent', () => agentUrl],
])('a request to %s without a Host is refused as JSON too', async (_who, urlOf) => {
  const answer = await askRaw(urlOf(), ['POST /rpc HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 0'])
  expect(answer.status).toBe(403)
  expect(bodyOf(answer)).toMatchObject({ jsonrpc: '2.0', error: { data: { status: 403 } } })
})

test('garbage after the beginning of a stream ends it, and is no part of it', async () => {
  const connection = await connectRaw(hub.url)
  const head = 'GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n'
  connection.socket.write(head)
  await until(() => connection.text().includes('retry:'))
  connection.socket.write('garbage\r\n\r\n')
  await until(() => connection.isClosed())
  expect(connection.text().match(/HTTP\/1.1/g)).toHaveLength(1)
  expect((await postRpc(hub.url, request('ping'))).status).toBe(200)
})

test('garbage right behind a request does not take its answer with it', async () => {
  const connection = await connectRaw(hub.url)
  connection.socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n{"a":1}\r\n\r\n')
  expect((await connection.answer()).status).toBe(200)
  await until(() => connection.isClosed())
})

test.each([
  ['close', 'close'],
  ['keep-alive', 'keep-alive'],
])('a stream whose client says Connection: %s says %s, which was always keep-alive', async (asked, told) => {
  const { socket, text } = await connectRaw(hub.url)
  socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nConnection: ${asked}\r\n\r\n`)
  await until(() => text().includes('retry:'))
  expect(text().toLowerCase()).toContain(`connection: ${told}\r\n`)
  socket.destroy()
})
