import { afterEach, describe, expect, test } from '@jest/globals'
import { closeAll } from '../cleanup.js'
import { call, REQUEST } from '../seen-call.js'
import { pass } from '../turns.js'
import { until } from '../until.js'
import {
  type Behaviour,
  callRogue,
  connect,
  outcomeOf,
  response,
  STREAM_HEAD,
  sending,
  serveRogue,
} from './rogue-agent.js'

const complete = 'event: complete\ndata: {"result":{"reportId":"rep-1"}}\n\n'
const reported = { kind: 'result', result: { content: [], structuredContent: { reportId: 'rep-1' }, isError: false } }
const progress = (data: unknown) => `event: progress\ndata: ${JSON.stringify(data)}\n\n`

function stream(...chunks: readonly (string | Uint8Array)[]): Behaviour {
  return sending(STREAM_HEAD, ...chunks)
}

afterEach(closeAll)

describe('the native connection, answered as a stream', () => {
  test('tells progress as it comes, and the result at the end', async () => {
    const seen = await callRogue(
      stream(
        progress({ token: 'prg-01', progress: 25, total: 100, message: '질의' }),
        ': alive\n\n',
        progress({ progress: 50 }),
        'event: complete\ndata: {"token":"prg-03","result":{"a":1},"content":[{"type":"text","text":"x"}],"isError":true,"_meta":{"tokenUsage":{"promptTokens":1,"completionTokens":2,"totalTokens":3}}}\n\n',
      ),
    )
    expect(seen).toEqual({
      progress: [{ progress: 25, total: 100, message: '질의' }, { progress: 50 }],
      signsOfLife: 0,
      outcome: {
        kind: 'result',
        result: {
          structuredContent: { a: 1 },
          content: [{ type: 'text', text: 'x' }],
          isError: true,
          tokenUsage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
        },
      },
    })
  })

  test('reads the same whatever the chunks: cut in a character, between CR and LF, one byte each', async () => {
    const text = `\ufeffretry: 5\r\nevent: progress\r\ndata: {"progress":1,\r\ndata: "message":"안녕 🎉\u2028\u0085"}\r\n\r\n:\r\n\r${complete.replaceAll('\n', '\r\n')}`
    const bytes = Buffer.from(text)
    const whole = await callRogue(stream(bytes))
    expect(whole).toMatchObject({ progress: [{ progress: 1, message: '안녕 🎉\u2028\u0085' }], outcome: reported })
    for (const size of [1, 2, 3, 7]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(await callRogue(stream(...chunks))).toEqual(whole)
    }
  })

  test('reads a CRLF that is split over two chunks as one line end', async () => {
    const seen = await callRogue(
      stream('event: progress\r', '\ndata: {"progress":\r', '\ndata: 1}\r\n\r', '\n', complete),
    )
    expect(seen).toMatchObject({ progress: [{ progress: 1 }], outcome: reported })
  })

  test('takes a failure with its code', async () => {
    const error = { code: -32002, message: 'Token Budget Exceeded: spent', data: { title: 'TOKEN_BUDGET_EXCEEDED' } }
    expect(await outcomeOf(STREAM_HEAD, `event: failed\ndata: ${JSON.stringify({ error })}\n\n`)).toMatchObject({
      kind: 'error',
      error: { code: 'TOKEN_BUDGET_EXCEEDED', reason: 'spent' },
    })
  })

  test('passes on progress that the hub will refuse, and goes on', async () => {
    const values = [
      { progress: 40 },
      { progress: 25 },
      { progress: '50' },
      { progress: -1 },
      {},
      { progress: 1, total: 'x', message: 7 },
    ]
    const seen = await callRogue(
      stream(
        ...values.map(progress),
        'event: progress\ndata: {"progress":NaN}\n\n',
        'event: progress\ndata: [1]\n\n',
        complete,
      ),
    )
    expect(seen.progress).toEqual([...values, { progress: '{"progress":NaN}' }, { progress: [1] }])
    expect(seen.outcome).toEqual(reported)
  })

  test('takes an event that it does not know for a sign of life, also one with a strange name', async () => {
    const seen = await callRogue(
      stream(
        'data: no name\n\n',
        'event: thinking\ndata: {}\n\n',
        'event: com\0plete\ndata: {}\n\n',
        'event: com\revent: plete\ndata: x\n\n',
        complete,
      ),
    )
    expect(seen).toEqual({ progress: [], signsOfLife: 4, outcome: reported })
  })

  test('takes comments for no sign of life: a heartbeat says nothing of the work', async () => {
    expect(await callRogue(stream(':\n\n'.repeat(50), complete))).toMatchObject({ signsOfLife: 0, outcome: reported })
  })

  test('takes the first of two complete events and leaves', async () => {
    const agent = await serveRogue(async (socket) => {
      socket.write(
        `${STREAM_HEAD}${complete}event: complete\ndata: {"result":{"reportId":"rep-2"}}\n\n${progress({ progress: 1 })}`,
      )
    })
    const seen = await call(connect(agent.url))
    expect(seen).toEqual({ progress: [], signsOfLife: 0, outcome: reported })
    while (agent.connections().open > 0) await new Promise(setImmediate)
  })

  test('keeps its connection for the next call', async () => {
    const chunk = `${complete.length.toString(16)}\r\n${complete}\r\n`
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
    const agent = await serveRogue((socket) => {
      socket.write(`${head}${chunk}`)
      setImmediate(() => socket.write('0\r\n\r\n'))
    })
    const connection = connect(agent.url)
    // The end of the body may come after the next call has begun, which then makes a connection of its own.
    while (agent.requests.length === agent.connections().used) {
      expect((await call(connection)).outcome).toEqual(reported)
    }
    expect(agent.connections().used).toBeLessThan(agent.requests.length)
  })

  test('does not know the outcome when the stream ends without its last event', async () => {
    const ends = ['', progress({ progress: 99, total: 100 }), complete.slice(0, -1), 'event: complete\n\n']
    for (const text of ends) {
      expect(await outcomeOf(STREAM_HEAD, text)).toMatchObject({
        kind: 'lost',
        error: { code: 'OUTCOME_UNKNOWN', reason: 'the stream of the agent ended without its last event' },
      })
    }
  })

  test('does not know the outcome when the connection is lost in the stream', async () => {
    const { outcome, progress: seen } = await callRogue(async (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n`)
      const event = progress({ progress: 1 })
      socket.write(`${event.length.toString(16)}\r\n${event}\r\n`, () => socket.end())
    })
    expect(seen).toEqual([{ progress: 1 }])
    expect(outcome).toMatchObject({ kind: 'lost', error: { code: 'OUTCOME_UNKNOWN' } })
  })

  const event = (name: string, data: string) => `event: ${name}\ndata: ${data}\n\n`
  test.each<[string, string | Buffer, RegExp]>([
    ['a complete that is no JSON', event('complete', '{"result":'), /^the data of complete is no JSON$/],
    ['a complete with a NUL', event('complete', '{"result":{"a":"\0"}}'), /^the data of complete is no JSON$/],
    ['a complete that is no object', event('complete', '[]'), /^the data of complete is no object$/],
    [
      'a complete without result and content',
      event('complete', '{"isError":false}'),
      /expected content or structuredContent/,
    ],
    [
      'a complete whose result is no object',
      event('complete', '{"result":"rep-1"}'),
      /structuredContent: expected an object/,
    ],
    ['a complete whose isError is no boolean', event('complete', '{"result":{},"isError":"no"}'), /isError/],
    ['a complete with an error', event('complete', '{"result":{},"error":{}}'), /^the data of complete has an error$/],
    [
      'a complete nested without a bound',
      event('complete', `{"result":{"a":${'['.repeat(500)}${']'.repeat(500)}}}`),
      /nested deeper than 128/,
    ],
    ['a failed without an error', event('failed', '{}'), /^the error of failed is no object$/],
    ['a failed that is no JSON', event('failed', 'x'), /^the data of failed is no JSON$/],
    ['bytes that are not UTF-8', Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xc3, 0x28, 0x0a, 0x0a]), /not UTF-8/],
  ])('calls it broken when the agent sends %s', async (_, bytes, reason) => {
    const { outcome } = await callRogue(stream(progress({ progress: 1 }), bytes))
    expect(outcome).toMatchObject({
      kind: 'broken',
      error: { code: 'CONTRACT_BROKEN', reason: expect.stringMatching(reason) },
    })
  })

  test('believes no stream that comes with an error status or encoded', async () => {
    const type = { 'Content-Type': 'text/event-stream' }
    expect(await outcomeOf(response('400 x', type, complete))).toMatchObject({ kind: 'broken' })
    expect(await outcomeOf(response('500 x', type, complete))).toMatchObject({ kind: 'lost' })
    expect(await outcomeOf(response('200 OK', { ...type, 'Content-Encoding': 'br' }, complete))).toMatchObject({
      kind: 'broken',
      error: { reason: 'its answer is encoded as br, which nobody asked for' },
    })
  })

  test('bounds an event, a line without an end, and an answer', async () => {
    const bounds = { maxEventBytes: 1_000, maxResultBytes: 4_000 }
    const outcomeWithin = async (...chunks: string[]) => (await callRogue(stream(...chunks), bounds)).outcome
    const result = (size: number) => `event: complete\ndata: {"result":{"a":"${'x'.repeat(size)}"}}\n\n`
    expect(await outcomeWithin(result(3_500))).toMatchObject({ kind: 'result' })
    expect(await outcomeWithin(result(4_000))).toMatchObject({
      kind: 'broken',
      error: { reason: 'one event is larger than 4000 bytes' },
    })
    expect(await outcomeWithin(progress({ message: 'x'.repeat(1_000) }), complete)).toMatchObject({
      kind: 'broken',
      error: { reason: 'an event is larger than 1000 bytes' },
    })
    const agent = await serveRogue((socket) => {
      socket.write(`${STREAM_HEAD}data: `)
      const write = () => {
        while (!socket.destroyed && socket.write('x'.repeat(500)));
      }
      socket.on('drain', write)
      write()
    })
    expect((await call(connect(agent.url, bounds))).outcome).toMatchObject({ kind: 'broken' })
  })

  test('leaves a stream when it is aborted, and says that it was us', async () => {
    const controller = new AbortController()
    const agent = await serveRogue((socket) => socket.write(`${STREAM_HEAD}${progress({ progress: 1 })}`))
    const observer = {
      async onProgress() {
        controller.abort()
      },
      onSignOfLife: () => undefined,
    }
    expect(await connect(agent.url).call(REQUEST, observer, controller.signal)).toEqual({ kind: 'aborted' })
    while (agent.connections().open > 0) await new Promise(setImmediate)
  })

  test('slows a fast agent down to the pace of the hub, and buffers nothing', async () => {
    let written = 0
    const message = 'x'.repeat(10_000)
    const agent = await serveRogue((socket) => {
      socket.write(STREAM_HEAD)
      const write = () => {
        while (written < 5_000 && socket.write(progress({ progress: ++written, message })));
        if (written === 5_000) socket.end(complete)
      }
      socket.on('drain', write)
      write()
    })
    let seen = 0
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const observer = {
      async onProgress() {
        if (++seen === 10) await held
      },
      onSignOfLife: () => undefined,
    }
    const outcome = connect(agent.url).call(REQUEST, observer, new AbortController().signal)
    await until(() => seen >= 10, 'the tenth report is held')
    // Nothing tells that a drain will not come, but who reads without a pause makes room for more in every few turns of the loop.
    for (let before = -1; before !== written; await pass(1_000)) before = written
    expect(seen).toBe(10)
    expect(written).toBeLessThan(2_500)
    release()
    expect(await outcome).toEqual(reported)
    expect(seen).toBe(5_000)
  })

  test("lets an error of its own side through: it is not the agent's", async () => {
    const agent = await serveRogue(stream(progress({ progress: 1 }), complete))
    const observer = { onProgress: () => Promise.reject(new RangeError('ours')), onSignOfLife: () => undefined }
    await expect(connect(agent.url).call(REQUEST, observer, new AbortController().signal)).rejects.toThrow('ours')
    while (agent.connections().open > 0) await new Promise(setImmediate)
  })
})
