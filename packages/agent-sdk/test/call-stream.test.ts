import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { defineTool, ToolError, type ToolHandler } from '../src/index.js'
import { callBody, closeAll, collect, post, serve, storedAnswers, streamCall } from './served-agent.js'

const toolOf = (handler: ToolHandler<object>) =>
  defineTool({ name: 'work', description: '', inputSchema: { type: 'object' }, streams: true, handler })

afterEach(closeAll)

describe('the stream of a call', () => {
  test('brings progress as it comes and ends with one complete event', async () => {
    const gate = new EventEmitter()
    const { url } = await serve([
      toolOf(async (_, ctx) => {
        ctx.progress({ progress: 1, total: 2, message: 'half\r\nway' })
        await once(gate, 'open')
        ctx.progress({ progress: 2 })
        return { content: [{ type: 'text', text: 'ok' }], structuredContent: { reportId: 'rep-1' } }
      }),
    ])
    const events = streamCall(url, callBody('work', {}, { callId: 'c1', traceId: 't1' }))
    expect((await events.next()).value).toEqual({
      event: 'progress',
      data: { progress: 1, total: 2, message: 'half\r\nway' },
    })
    gate.emit('open')
    expect((await events.next()).value).toEqual({ event: 'progress', data: { progress: 2 } })
    expect((await events.next()).value).toEqual({
      event: 'complete',
      data: {
        result: { reportId: 'rep-1' },
        content: [{ type: 'text', text: 'ok' }],
        isError: false,
        _meta: { callId: 'c1', traceId: 't1', executionTimeMs: expect.any(Number) },
      },
    })
    expect((await events.next()).done).toBe(true)
  })

  test('opens at once, with headers that no proxy holds back', async () => {
    const { url } = await serve([
      toolOf((_, ctx) => new Promise((_resolve, reject) => ctx.signal.addEventListener('abort', reject))),
    ])
    const controller = new AbortController()
    const response = await post(url, callBody('work'), {
      headers: { Accept: 'text/event-stream', 'Accept-Encoding': 'gzip, br' },
      signal: controller.signal,
    })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(response.headers.has('content-encoding')).toBe(false)
    controller.abort()
  })

  test('ends with one failed event when the tool fails after it began', async () => {
    const { url } = await serve([
      toolOf(async () => {
        await Promise.resolve()
        throw new ToolError('TOKEN_BUDGET_EXCEEDED', 'the day is spent')
      }),
    ])
    expect(await collect(streamCall(url, callBody('work')))).toMatchObject([
      {
        event: 'failed',
        data: { error: { code: -32002, data: { title: 'TOKEN_BUDGET_EXCEEDED', instance: '/tools/call/work' } } },
      },
    ])
  })

  test('is JSON with an HTTP status when the call is refused before it begins', async () => {
    const strict = defineTool({
      name: 'strict',
      description: '',
      inputSchema: { type: 'object', required: ['a'] },
      streams: true,
      handler: () => '',
    })
    const { url } = await serve([strict])
    const response = await post(url, callBody('strict'), { headers: { Accept: 'text/event-stream' } })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ error: { data: { path: 'a' } } })
  })

  test('shows that it lives while the tool is silent', async () => {
    const gate = new EventEmitter()
    const tool = toolOf(async () => {
      await once(gate, 'open')
      return 'done'
    })
    const { url } = await serve([tool], { heartbeatIntervalMs: 5 })
    const names: string[] = []
    for await (const { event } of streamCall(url, callBody('work'))) {
      names.push(event)
      if (names.length === 3) gate.emit('open')
    }
    expect(names.slice(0, 3)).toEqual(['comment', 'comment', 'comment'])
    expect(names.at(-1)).toBe('complete')
  })

  test('drops progress that is no finite number, and logs it', async () => {
    const { url, logs } = await serve([
      toolOf((_, ctx) => {
        // An author without types may well send a text.
        const text: number = JSON.parse('"2"')
        for (const progress of [1, Number.NaN, Number.POSITIVE_INFINITY, text]) ctx.progress({ progress })
        ctx.progress({ progress: 3, total: Number.NaN })
        ctx.progress({ progress: 2 })
        return ''
      }),
    ])
    const events = await collect(streamCall(url, callBody('work')))
    expect(events.map(({ data }) => data.progress)).toEqual([1, 2, undefined])
    expect(logs.filter(({ level }) => level === 'warn')).toHaveLength(4)
  })

  test("passes on progress that falls: whether it counts is the hub's rule", async () => {
    const { url } = await serve([
      toolOf((_, ctx) => {
        for (const progress of [40, 25, 40]) ctx.progress({ progress })
        return ''
      }),
    ])
    const events = await collect(streamCall(url, callBody('work')))
    expect(events.map(({ data }) => data.progress)).toEqual([40, 25, 40, undefined])
  })

  test('ignores progress after the end', async () => {
    let late: () => void = () => undefined
    const { url, logs } = await serve([
      toolOf((_, ctx) => {
        late = () => ctx.progress({ progress: 9 })
        return ''
      }),
    ])
    expect(await collect(streamCall(url, callBody('work')))).toHaveLength(1)
    expect(late).not.toThrow()
    expect(logs.filter(({ level }) => level !== 'info')).toEqual([])
  })

  test('keeps only the latest progress for a reader that is slow', async () => {
    const message = 'x'.repeat(10_000)
    const gate = new EventEmitter()
    const { url } = await serve([
      toolOf(async (_, ctx) => {
        for (let progress = 1; progress <= 5_000; progress++) {
          ctx.progress({ progress, message })
          if (progress % 100 === 0) await new Promise(setImmediate)
        }
        gate.emit('reported')
        return 'done'
      }),
    ])
    const body = callBody('work')
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const reported = once(gate, 'reported')
    const head =
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nConnection: close\r\n'
    socket.pause()
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    await reported
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    const seen = [...text.matchAll(/"progress":(\d+)/g)].map(([, progress]) => Number(progress))
    expect(seen.length).toBeLessThan(2_000)
    expect(seen.at(-1)).toBe(5_000)
    expect(text).toContain('event: complete')
  })

  test('sends the answer only once it is stored', async () => {
    const { url, dataDir } = await serve([toolOf(() => 'done')])
    for await (const { event } of streamCall(url, callBody('work', {}, { callId: 'c1' }))) {
      expect([event, (await storedAnswers(dataDir)).length]).toEqual(['complete', 1])
    }
  })
})
