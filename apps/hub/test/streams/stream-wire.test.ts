import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Clock } from '@synchub/core'
import { systemClock } from '@synchub/telemetry'
import type { EventStream, StreamEnd } from '../../src/streams/event-stream.js'
import { StreamFrame } from '../../src/streams/stream-frame.js'
import { StreamRegistry } from '../../src/streams/stream-registry.js'
import { atEnd, closeAll } from '../cleanup.js'
import { connectRaw } from '../raw-connection.js'
import { until } from '../until.js'

afterEach(closeAll)

const CONFIG = {
  heartbeatMs: 60_000,
  maxAgeMs: 60_000,
  retryMs: 1000,
  lingerMs: 50,
  maxBufferedBytes: 64 * 1024,
  stallTimeoutMs: 30_000,
}
const RETRY = 'retry: 1000\n\n'

/** Serves streams over real sockets; each is handed out as soon as it is open. */
async function serveStreams(
  config: Partial<typeof CONFIG> = {},
  before?: (res: ServerResponse) => Promise<void>,
  clock: Clock = systemClock,
) {
  const registry = new StreamRegistry({ ...CONFIG, ...config }, clock)
  const opened: EventStream[] = []
  const ends: (StreamEnd | 'disconnected')[] = []
  let drains = 0
  const onDrain = () => {
    drains++
  }
  let waiting = () => 0
  const listener: RequestListener = (_req, res) => {
    waiting = () => res.writableLength
    void (before?.(res) ?? Promise.resolve()).then(() => {
      opened.push(registry.open(res, { onDrain, onClose: (end) => ends.push(end) }))
    })
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = async (lines: readonly string[] = ['GET / HTTP/1.1', 'Host: hub']) => {
    const raw = await connectRaw(`http://127.0.0.1:${port}`)
    raw.socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return raw
  }
  const stream = async (at = 0) => {
    await until(() => opened.length > at)
    const found = opened[at]
    if (found === undefined) throw new Error(`there is no stream ${at}`)
    return found
  }
  return { registry, ask, stream, ends, drains: () => drains, waiting: () => waiting() }
}

/** The chunks behind a head, taken apart as RFC 9112 section 7.1 has it; fails on anything that is none. */
function chunksOf(text: string): string[] {
  const chunks: string[] = []
  for (let rest = text.slice(text.indexOf('\r\n\r\n') + 4); rest !== ''; ) {
    const [, digits = ''] = /^([0-9a-f]+)\r\n/.exec(rest) ?? []
    const from = digits.length + 2
    const end = from + Number.parseInt(digits, 16)
    expect(rest.slice(end, end + 2)).toBe('\r\n')
    chunks.push(rest.slice(from, end))
    rest = rest.slice(end + 2)
  }
  return chunks
}

describe('an event stream on the wire', () => {
  test('is one whole chunk for each write, and the last chunk at its end', async () => {
    const { ask, stream, ends } = await serveStreams()
    const raw = await ask()
    const open = await stream()
    expect(open.write(new StreamFrame('data: one\n\n'))).toBe(true)
    open.write(new StreamFrame('data: 한글\n\n'))
    open.close('ended')
    await until(() => ends.length === 1 && raw.text().endsWith('\r\n0\r\n\r\n'))
    expect(raw.text()).toMatch(/transfer-encoding: chunked/i)
    const korean = Buffer.from('data: 한글\n\n').toString('latin1')
    expect(chunksOf(raw.text())).toEqual([RETRY, 'data: one\n\n', korean, ''])
    expect(ends).toEqual(['ended'])
  })

  test('leaves a connection that is kept alive as clean as it found it', async () => {
    const { ask, stream, ends } = await serveStreams()
    const raw = await ask()
    const first = await stream()
    first.write(new StreamFrame('data: first\n\n'))
    first.close('ended')
    expect(first.write(new StreamFrame('data: too late\n\n'))).toBe(false)
    await until(() => ends.length === 1)
    raw.socket.write('GET / HTTP/1.1\r\nHost: hub\r\n\r\n')
    const second = await stream(1)
    // The first one may not write into the answer that has the connection now.
    expect(first.write(new StreamFrame('data: too late\n\n'))).toBe(false)
    second.write(new StreamFrame('data: second\n\n'))
    second.close('ended')
    await until(() => raw.text().split('0\r\n\r\n').length === 3)
    const [one = '', two = ''] = raw.text().split(/(?<=\r\n0\r\n\r\n)/)
    expect(chunksOf(one)).toEqual([RETRY, 'data: first\n\n', ''])
    expect(chunksOf(two)).toEqual([RETRY, 'data: second\n\n', ''])
  })

  test('has no chunks for a reader of HTTP/1.0, and ends with the connection', async () => {
    const { ask, stream } = await serveStreams()
    const raw = await ask(['GET / HTTP/1.0'])
    const open = await stream()
    open.write(new StreamFrame('data: one\n\n'))
    open.close('ended')
    await until(() => raw.isClosed())
    const [head = '', body] = raw.text().split(/(?<=\r\n\r\n)/)
    expect(head).not.toMatch(/transfer-encoding/i)
    expect(body).toBe(`${RETRY}data: one\n\n`)
  })

  test('waits behind the answer before it where requests are pipelined', async () => {
    const { ask, stream, ends } = await serveStreams()
    const raw = await ask(['GET / HTTP/1.1', 'Host: hub', '', 'GET / HTTP/1.1', 'Host: hub'])
    const [first, second] = [await stream(0), await stream(1)]
    second.write(new StreamFrame('data: second\n\n'))
    first.write(new StreamFrame('data: first\n\n'))
    first.close('ended')
    await until(() => ends.length === 1)
    second.write(new StreamFrame('data: third\n\n'))
    second.close('ended')
    await until(() => raw.text().split('0\r\n\r\n').length === 3)
    const [one = '', two = ''] = raw.text().split(/(?<=\r\n0\r\n\r\n)/)
    expect(chunksOf(one)).toEqual([RETRY, 'data: first\n\n', ''])
    expect(chunksOf(two)).toEqual([RETRY, 'data: second\n\n', 'data: third\n\n', ''])
  })

  test('says when it is full and when it has drained, and loses no byte between', async () => {
    const { ask, stream, drains } = await serveStreams()
    const raw = await ask()
    raw.socket.pause()
    const open = await stream()
    const frame = new StreamFrame(`data: ${'x'.repeat(10_000)}\n\n`)
    let written = 1
    while (open.write(frame)) written++
    expect(drains()).toBe(0)
    raw.socket.resume()
    await until(() => drains() === 1)
    open.write(new StreamFrame('data: last\n\n'))
    open.close('ended')
    await until(() => raw.text().endsWith('\r\n0\r\n\r\n'))
    const chunks = chunksOf(raw.text())
    expect(chunks.length).toBe(written + 3)
    expect(new Set(chunks.slice(1, -2).map((chunk) => chunk.length))).toEqual(new Set([frame.body.length]))
    expect(chunks.at(-2)).toBe('data: last\n\n')
  })

  test('is cut so long after its reader last took something, not after twice that time', async () => {
    let nowMs = 0
    const clock: Clock = { now: () => nowMs, schedule: () => () => undefined }
    // An age whose spread reaches into the 50 seconds of this test would end the stream first, and that waits for its reader.
    const { ask, stream, ends, waiting } = await serveStreams({ maxAgeMs: 600_000 }, undefined, clock)
    const raw = await ask()
    const open = await stream()
    await until(() => raw.text().includes('retry:'))
    raw.socket.pause()
    const mebibytes = (count: number) => new StreamFrame('x'.repeat(count * 1024 * 1024))
    // A write counts as taken once it is whole; the second is more than the kernel takes ahead of its reader.
    open.write(mebibytes(16))
    open.write(mebibytes(64))
    const before = waiting()
    let read = 0
    raw.socket.on('data', ({ length }: Buffer) => {
      read += length
      if (read > 17 * 1024 * 1024) raw.socket.pause()
    })
    raw.socket.resume()
    await until(() => raw.socket.isPaused() && waiting() < before)
    nowMs = 20_000
    open.tick(nowMs)
    nowMs = 49_000
    open.tick(nowMs)
    expect(open.closed).toBe(false)
    nowMs = 50_000
    open.tick(nowMs)
    expect(open.closed).toBe(true)
    await until(() => ends.length === 1)
    expect(ends).toEqual(['stalled'])
  })

  test('writes heartbeats as chunks of their own', async () => {
    const { ask, stream } = await serveStreams({ heartbeatMs: 20 })
    const raw = await ask()
    await stream()
    await until(() => raw.text().split(': heartbeat').length > 3)
    expect(chunksOf(raw.text()).slice(0, 3)).toEqual([RETRY, ': heartbeat\n\n', ': heartbeat\n\n'])
  })
})

describe('the streams of a process', () => {
  test('do not keep one whose reader had gone before it was opened', async () => {
    const { ask, stream, registry, ends } = await serveStreams({}, async (res) => void (await once(res, 'close')))
    const raw = await ask()
    raw.socket.destroy()
    const open = await stream()
    expect(open.closed).toBe(true)
    expect(open.write(new StreamFrame('data: one\n\n'))).toBe(false)
    expect(registry.size).toBe(0)
    expect(ends).toEqual([])
  })

  test('are all ended when the hub stops, each once', async () => {
    const { ask, stream, registry, ends } = await serveStreams()
    await Promise.all([ask(), ask(), ask()])
    await stream(2)
    registry.closeAll()
    await until(() => ends.length === 3)
    expect(ends).toEqual(['stopping', 'stopping', 'stopping'])
    expect(registry.size).toBe(0)
  })
})
