import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { closeAll } from './cleanup.js'
import { callFrame, postRpc, postText, readAnswer, request } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { bodyOf, connectRaw, type RawAnswer } from './raw-connection.js'
import { type RunningHub, runHub } from './running-hub.js'
import { echoTool, serveTools } from './served-agent.js'
import { until } from './until.js'

const LIMIT = 100_000

let hub: RunningHub
let host: string

beforeAll(async () => {
  const agent = await serveTools([echoTool])
  hub = await runHub({ agents: { Echo: { url: agent.url, mode: 'direct' } }, limits: { maxBodyBytes: LIMIT } })
  host = new URL(hub.url).host
})

afterAll(closeAll)

/** A request whose body has exactly so many bytes. */
function bodyOfSize(bytes: number): string {
  const frame = (text: string) => JSON.stringify(request('ping', { text }))
  return frame('x'.repeat(bytes - frame('').length))
}

const head = (...lines: string[]) =>
  [`POST /rpc HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json', ...lines].join('\r\n')

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** Bytes of buffers that something still holds. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

function expectTooLarge(answer: RawAnswer): void {
  const body = bodyOf(answer)
  expectProblem({ status: answer.status, body }, 'PAYLOAD_TOO_LARGE')
  expect(body.error?.data.limit).toBe(LIMIT)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
}

describe('the body of a request', () => {
  test.each([LIMIT - 1, LIMIT])('with its length is taken at %d bytes', async (bytes) => {
    const body = bodyOfSize(bytes)
    expect(Buffer.byteLength(body)).toBe(bytes)
    expect((await postText(hub.url, body)).status).toBe(200)
  })

  test.each([LIMIT - 1, LIMIT])('in chunks is taken at %d bytes', async (bytes) => {
    const body = bodyOfSize(bytes)
    const { socket, answer } = await connectRaw(hub.url)
    socket.write(`${head('Transfer-Encoding: chunked')}\r\n\r\n`)
    for (let at = 0; at < body.length; at += 9000) socket.write(chunk(body.slice(at, at + 9000)))
    socket.write('0\r\n\r\n')
    expect((await answer()).status).toBe(200)
  })

  test('one byte over the limit is refused by its length', async () => {
    expectProblem(await readAnswer(await postText(hub.url, bodyOfSize(LIMIT + 1))), 'PAYLOAD_TOO_LARGE')
  })

  test('one byte over the limit is refused in chunks', async () => {
    const { socket, answer } = await connectRaw(hub.url)
    socket.write(`${head('Transfer-Encoding: chunked')}\r\n\r\n${chunk(bodyOfSize(LIMIT + 1))}0\r\n\r\n`)
    expectTooLarge(await answer())
  })

  test('of 4 GiB is refused before a byte of it has come', async () => {
    const { socket, answer } = await connectRaw(hub.url)
    socket.write(`${head('Content-Length: 4294967296')}\r\n\r\n`)
    expectTooLarge(await answer())
  })

  test('is refused while the client still sends, without a reset and without being held', async () => {
    const connection = await connectRaw(hub.url)
    const { socket } = connection
    socket.write(`${head('Transfer-Encoding: chunked')}\r\n\r\n`)
    const piece = chunk('x'.repeat(64 * 1024))
    const before = heldBytes()
    for (let sent = 0; sent < 150; sent++) {
      if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve))
    }
    expectTooLarge(await connection.answer())
    expect(connection.isClosed()).toBe(false)
    // 10 MB were sent. V8 frees buffers in the background, some time after the collection.
    await until(() => heldBytes() - before < 2 * 1024 * 1024)
    socket.write('0\r\n\r\n')
    // The rest was read to its end, so the connection serves on.
    const seen = connection.text().length
    socket.write(`${head('Content-Length: 40')}\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}`)
    await until(() => connection.text().length > seen)
    expect(connection.text().slice(seen)).toContain('"result":{}')
  })

  test('that was refused and never ends is cut after a while', async () => {
    const connection = await connectRaw(hub.url)
    connection.socket.write(`${head('Transfer-Encoding: chunked')}\r\n\r\n${chunk('x'.repeat(LIMIT + 1))}`)
    expectTooLarge(await connection.answer())
    const trickle = setInterval(() => connection.socket.write(chunk('x')), 100)
    await until(() => connection.isClosed())
    clearInterval(trickle)
  }, 20_000)

  test('that its sender breaks off harms nobody', async () => {
    const { socket, text } = await connectRaw(hub.url)
    // By its answer the hub says that it reads the body from here on.
    socket.write(`${head('Content-Length: 500', 'Expect: 100-continue')}\r\n\r\n{"jsonrpc":`)
    await until(() => text() === 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.destroy()
    expect((await postRpc(hub.url, request('ping'))).status).toBe(200)
    expect(hub.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })
})

describe('a client that asks first (Expect: 100-continue)', () => {
  const expecting = (bytes: number) => head(`Content-Length: ${bytes}`, 'Expect: 100-continue')

  test('is told to go on, and answered', async () => {
    const { socket, text, answer } = await connectRaw(hub.url)
    const body = bodyOfSize(1000)
    socket.write(`${expecting(body.length)}\r\n\r\n`)
    await until(() => text() === 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    expect((await answer()).status).toBe(200)
  })

  test('is refused before it has sent a body that is too large', async () => {
    const { socket, text, answer } = await connectRaw(hub.url)
    socket.write(`${expecting(LIMIT + 1)}\r\n\r\n`)
    expectTooLarge(await answer())
    expect(text()).not.toContain('100 Continue')
  })

  test('is refused before it has sent a body that nobody would read', async () => {
    const { socket, text, answer } = await connectRaw(hub.url)
    socket.write(`${expecting(10).replace('application/json', 'text/plain')}\r\n\r\n`)
    expect((await answer()).status).toBe(415)
    expect(text()).not.toContain('100 Continue')
  })
})

describe('names', () => {
  test.each([
    ['traceId', 128],
    ['idempotencyKey', 256],
    ['callerAgent', 64],
  ])('%s may have %d characters, and no more', async (member, most) => {
    const call = (length: number) => postRpc(hub.url, callFrame('echo', {}, { [member]: 'a'.repeat(length) }))
    expect((await call(most)).status).toBe(200)
    for (const length of [0, most + 1]) {
      const answer = await call(length)
      expectProblem(answer, 'INVALID_PARAMS', 'request-1')
      expect(answer.body.error?.data.path).toBe(`_meta.${member}`)
    }
  })

  test.each(['a b', 'a/b', 'ä', 'a\n', '{a}', 'a*'])('of a trace may not be %j', async (traceId) => {
    expectProblem(await postRpc(hub.url, callFrame('echo', {}, { traceId })), 'INVALID_PARAMS', 'request-1')
  })

  test('of a trace may use every allowed character', async () => {
    const traceId = 'AZaz09._:-'
    const answer = await postRpc(hub.url, callFrame('echo', {}, { traceId }))
    expect(answer.body.result).toMatchObject({ _meta: { traceId } })
    expect((await fetch(`${hub.url}/traces/${encodeURIComponent(traceId)}`)).status).toBe(200)
  })

  test.each(['', 'a b', 'x'.repeat(194), 'echo\u0000'])('of a tool may not be %j', async (name) => {
    expectProblem(await postRpc(hub.url, callFrame(name)), 'INVALID_PARAMS', 'request-1')
  })
})
