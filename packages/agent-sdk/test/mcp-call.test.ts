import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { defineTool, type ToolHandler } from '../src/index.js'
import { askLegacy, legacyBody, modernBody, modernHeaders, streamMessages } from './mcp-requests.js'
import { callBody, closeAll, collect, post, postJson, serve, streamCall } from './served-agent.js'

const toolOf = (handler: ToolHandler<object>, streams = true) =>
  defineTool({ name: 'work', description: '', inputSchema: { type: 'object' }, streams, handler })

/** A tool that works until it is let go or aborted, and tells which. */
function endlessTool() {
  const events = new EventEmitter()
  const tool = toolOf(async (_, ctx) => {
    ctx.progress({ progress: 1 })
    const aborted = once(ctx.signal, 'abort').then(() => 'aborted')
    const ended = await Promise.race([aborted, once(events, 'release').then(() => 'released')])
    events.emit('ended', ended)
    ctx.signal.throwIfAborted()
    return 'done'
  })
  return { tool, ended: once(events, 'ended').then(([how]) => how), release: () => events.emit('release') }
}

const work = (progressToken?: string | number, meta: object = {}) => ({
  name: 'work',
  arguments: {},
  _meta: { ...meta, ...(progressToken === undefined ? {} : { progressToken }) },
})

afterEach(closeAll)

describe('progress of an MCP call', () => {
  test.each([0, '', 'p-1', 1.5])("comes under the caller's own name %j, and rises", async (progressToken) => {
    const { url } = await serve([
      toolOf((_, ctx) => {
        for (const progress of [1, 3, 2, 3, 4]) ctx.progress({ progress, total: 4, message: `step ${progress}` })
        return 'done'
      }),
    ])
    const messages: object[] = []
    for await (const message of streamMessages(url, legacyBody('tools/call', work(progressToken), 0), {})) {
      messages.push(message)
    }
    const progress = [1, 3, 4].map((value) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: value, total: 4, message: `step ${value}` },
    }))
    const response = {
      jsonrpc: '2.0',
      id: 0,
      result: expect.objectContaining({ content: [{ type: 'text', text: 'done' }] }),
    }
    expect(messages).toEqual([...progress, response])
  })

  test('is told to nobody who did not ask, or reads no streams', async () => {
    const { url } = await serve([
      toolOf((_, ctx) => {
        ctx.progress({ progress: 1 })
        return 'done'
      }),
    ])
    const typeOf = async (params: object, accept: string) => {
      const response = await post(`${url}/mcp`, legacyBody('tools/call', { ...params }), {
        headers: { Accept: accept },
      })
      await response.text()
      return response.headers.get('content-type')?.split(';')[0]
    }
    expect(await typeOf(work(), 'application/json, text/event-stream')).toBe('application/json')
    expect(await typeOf(work(1), 'application/json')).toBe('application/json')
    expect(await typeOf(work(1), 'application/json, text/event-stream')).toBe('text/event-stream')
  })

  test('opens a stream for a short tool only once there is some', async () => {
    const silent = await serve([toolOf(() => 'done', false)])
    const response = await post(`${silent.url}/mcp`, legacyBody('tools/call', work(1)), {
      headers: { Accept: 'application/json, text/event-stream' },
    })
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({ result: { isError: false } })
  })

  test('ends with one error where the tool fails after it began', async () => {
    const { url } = await serve([
      toolOf(() => {
        throw new Error('secret detail')
      }),
    ])
    const messages: object[] = []
    for await (const message of streamMessages(url, legacyBody('tools/call', work(1)), {})) messages.push(message)
    expect(messages).toMatchObject([{ id: 1, error: { code: -32603, message: expect.not.stringContaining('secret') } }])
  })
})

describe('the end of an MCP call', () => {
  test('comes with the cancel that a legacy session sends, and then without a response', async () => {
    const { tool, ended } = endlessTool()
    const { url } = await serve([tool])
    const opening = await post(`${url}/mcp`, legacyBody('initialize', { protocolVersion: '2025-11-25' }))
    const headers = { 'Mcp-Session-Id': opening.headers.get('mcp-session-id') ?? '' }
    await opening.text()
    const messages = streamMessages(url, legacyBody('tools/call', work(0), 0), { headers })
    expect((await messages.next()).value).toMatchObject({ params: { progressToken: 0 } })
    const cancel = (session: Record<string, string>) =>
      post(
        `${url}/mcp`,
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } }),
        {
          headers: session,
        },
      )
    // Neither a stranger's nor a nameless request 0 is this one.
    for (const other of [{}, { 'Mcp-Session-Id': 'another' }]) expect((await cancel(other)).status).toBe(202)
    expect((await cancel(headers)).status).toBe(202)
    expect(await ended).toBe('aborted')
    expect((await messages.next()).done).toBe(true)
  })

  test('comes with the connection in the modern era', async () => {
    const { tool, ended } = endlessTool()
    const { url } = await serve([tool])
    const controller = new AbortController()
    const messages = streamMessages(url, modernBody('tools/call', work(1)), {
      headers: modernHeaders('tools/call', 'work'),
      signal: controller.signal,
    })
    await messages.next()
    controller.abort()
    expect(await ended).toBe('aborted')
    await expect(messages.next()).rejects.toThrow('aborted')
  })

  test('does not come with the connection in the legacy era, however long it is gone', async () => {
    const { tool, ended, release } = endlessTool()
    const { url } = await serve([tool], { orphanGraceMs: 1 })
    const controller = new AbortController()
    const meta = { callId: 'c1' }
    const messages = streamMessages(url, legacyBody('tools/call', work(1, meta)), { signal: controller.signal })
    await messages.next()
    controller.abort()
    await expect(messages.next()).rejects.toThrow('aborted')
    // The same callId joins the work that goes on, over the native endpoint too.
    const joined = streamCall(url, callBody('work', {}, meta))
    expect((await joined.next()).value).toMatchObject({ event: 'progress' })
    release()
    expect(await ended).toBe('released')
    expect(await collect(joined)).toMatchObject([{ event: 'complete' }])
  })

  test('is given again to a repeat with the same callId, in either era', async () => {
    let runs = 0
    const { url } = await serve([toolOf(() => `run ${++runs}`)])
    const params = work(undefined, { callId: 'c1', traceId: 't1' })
    await askLegacy(url, 'tools/call', params)
    const again = await postJson(`${url}/mcp`, modernBody('tools/call', params), {
      headers: modernHeaders('tools/call', 'work'),
    })
    expect(again.body).toMatchObject({
      result: { content: [{ text: 'run 1' }], _meta: { callId: 'c1', traceId: 't1', replayed: true } },
    })
  })

  test('costs a reader that is slow only what it has not yet read', async () => {
    const { url } = await serve([
      toolOf(async (_, ctx) => {
        for (let progress = 1; progress <= 3_000; progress++) {
          ctx.progress({ progress, message: 'x'.repeat(10_000) })
          if (progress % 100 === 0) await new Promise(setImmediate)
        }
        return 'done'
      }),
    ])
    const body = legacyBody('tools/call', work(1))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.pause()
    socket.write(head + body)
    await once(socket, 'readable')
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    const seen = [...text.matchAll(/"progress":(\d+)/g)].map(([, progress]) => Number(progress))
    expect(seen.length).toBeLessThan(2_000)
    expect(seen.at(-1)).toBe(3_000)
    expect(text).toContain('"text":"done"')
  })
})
