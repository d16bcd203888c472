import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type JsonObject, readLines } from '@synchub/protocol'
import { serveLines } from '../src/agent/stdio.js'
import { createLineLogger, defineAgent, defineTool, type ServeOptions, type ToolHandler } from '../src/index.js'
import { legacyBody, modernBody } from './mcp-requests.js'
import { atEnd, closeAll, makeFolder } from './served-agent.js'

const toolOf = (handler: ToolHandler<{ text?: string }>) =>
  defineTool({ name: 'work', description: '', inputSchema: { type: 'object' }, streams: true, handler })

/** An agent that talks to this test over two streams. */
async function open(handler: ToolHandler<{ text?: string }>, options: Partial<ServeOptions> = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const logger = createLineLogger({ write: () => true })
  const agent = defineAgent({ name: 'Tester', version: '1.0.0', tools: [toolOf(handler)] })
  const settings = { dataDir: await makeFolder(), logger, stopGraceMs: 50, stopAbortMs: 50, ...options }
  const { ended, stop } = await serveLines(agent, settings, { input, output })
  atEnd(async () => {
    stop()
    await ended
  })
  const lines = readLines(output, 1024 * 1024)
  const next = async (): Promise<JsonObject> => {
    const { value } = await lines.next()
    if (value?.kind !== 'line') throw new Error('the agent wrote no further line')
    return JSON.parse(value.text)
  }
  const send = (text: string): boolean => input.write(`${text}\n`)
  return { input, output, send, next, rest: async () => (await lines.next()).value, ended, stop }
}

const call = (text: string, meta: JsonObject = {}) => ({ name: 'work', arguments: { text }, _meta: meta })
const cancel = (requestId: string | number) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } })

afterEach(closeAll)

describe('MCP over stdin and stdout', () => {
  test('answers many requests at the same time, each in its era and as it is done', async () => {
    const gate = new EventEmitter()
    const { send, next } = await open(async ({ text }) => {
      if (text === 'slow') await once(gate, 'open')
      return `did ${text}`
    })
    send(legacyBody('initialize', { protocolVersion: '2025-06-18' }, 0))
    expect(await next()).toMatchObject({ id: 0, result: { protocolVersion: '2025-06-18' } })
    send(legacyBody('tools/call', call('slow'), 1))
    send(modernBody('tools/call', call('quick'), '1'))
    expect(await next()).toMatchObject({
      id: '1',
      result: { resultType: 'complete', content: [{ text: 'did quick' }] },
    })
    gate.emit('open')
    const slow = await next()
    expect(slow).toMatchObject({ id: 1, result: { content: [{ text: 'did slow' }] } })
    expect(slow).not.toHaveProperty('result.resultType')
    for (let id = 2; id < 100; id++) send(legacyBody('tools/call', call(String(id)), id))
    const ids = new Set<unknown>()
    for (let id = 2; id < 100; id++) ids.add((await next()).id)
    expect(ids.size).toBe(98)
  })

  test('tells progress of several calls apart by their tokens', async () => {
    const { send, next } = await open((_, ctx) => {
      ctx.progress({ progress: 1 })
      return 'done'
    })
    send(legacyBody('tools/call', call('a', { progressToken: 0 }), 1))
    send(modernBody('tools/call', call('b', { progressToken: '' }), 2))
    const messages = [await next(), await next(), await next(), await next()]
    expect(messages.map(({ params }) => Object(params).progressToken)).toEqual(expect.arrayContaining([0, '']))
    expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]))
  })

  test('leaves nothing of a request on the stream that all share', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const gate = new EventEmitter().setMaxListeners(0)
    const { output, send, next } = await open(async (_, ctx) => {
      const opened = once(gate, 'open')
      ctx.progress({ progress: 1 })
      await opened
      return 'done'
    })
    const before = output.listenerCount('drain')
    for (let id = 0; id < 40; id++) send(modernBody('tools/call', call('a', { progressToken: id }), id))
    for (let id = 0; id < 40; id++) await next()
    expect(output.listenerCount('drain')).toBe(before + 40)
    gate.emit('open')
    for (let id = 0; id < 40; id++) await next()
    expect(output.listenerCount('drain')).toBe(before)
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  test.each([
    ['legacy', legacyBody],
    ['modern', modernBody],
  ])('cancels a %s request without an answer, and goes on', async (_, body) => {
    const events = new EventEmitter()
    const { send, next } = await open(async ({ text }, ctx) => {
      if (text !== 'endless') return 'done'
      ctx.progress({ progress: 1 })
      await once(ctx.signal, 'abort')
      events.emit('aborted')
      throw ctx.signal.reason
    })
    send(body('tools/call', call('endless', { progressToken: 1 }), 7))
    expect(await next()).toMatchObject({ params: { progressToken: 1 } })
    const aborted = once(events, 'aborted')
    send(cancel('7'))
    send(cancel(7))
    await aborted
    send(cancel(7))
    send(body('tools/call', call('next'), 8))
    expect(await next()).toMatchObject({ id: 8, result: {} })
  })

  test('answers what it cannot read, and reads on', async () => {
    const { input, send, next } = await open(() => 'done', { maxBodyBytes: 300 })
    send('')
    send('{"jsonrpc')
    expect(await next()).toEqual({ jsonrpc: '2.0', error: expect.objectContaining({ code: -32700 }) })
    send('[]')
    expect(await next()).toMatchObject({ error: { code: -32600 } })
    send('x'.repeat(5_000))
    expect(await next()).toMatchObject({
      error: { code: -31413, message: expect.stringContaining('longer than 300 bytes') },
    })
    input.write(Buffer.from([0xff, 0x0a]))
    expect(await next()).toMatchObject({ error: { code: -32700, message: expect.stringContaining('not UTF-8') } })
    send(modernBody('ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }))
    expect(await next()).toMatchObject({ id: 1, error: { code: -32022 } })
    send(modernBody('ping', { _meta: { 'io.modelcontextprotocol/clientCapabilities': 1 } }))
    expect(await next()).toMatchObject({ id: 1, error: { code: -32602 } })
    for (const byte of Buffer.from(`${legacyBody('ping', {}, '안녕')}\r\n`)) input.write(Buffer.from([byte]))
    expect(await next()).toEqual({ jsonrpc: '2.0', id: '안녕', result: {} })
  })

  test('refuses an id that is still open', async () => {
    const gate = new EventEmitter()
    const { send, next } = await open(async () => {
      await once(gate, 'open')
      return 'done'
    })
    send(legacyBody('tools/call', call('a'), 1))
    send(legacyBody('tools/call', call('b'), 1))
    expect(await next()).toMatchObject({ id: 1, error: { code: -32600 } })
    gate.emit('open')
    expect(await next()).toMatchObject({ id: 1, result: {} })
  })

  test('ends with its input, after what it can still answer', async () => {
    const gate = new EventEmitter()
    const work: ToolHandler<object> = async (_, ctx) => {
      const opened = once(gate, 'open')
      ctx.progress({ progress: 1 })
      await opened
      return 'done'
    }
    const { input, send, next, rest, ended } = await open(work, { stopGraceMs: 10_000 })
    send(legacyBody('tools/call', call('a', { progressToken: 1 }), 1))
    input.end(legacyBody('tools/call', call('b', { progressToken: 2 }), 2))
    await next()
    await next()
    gate.emit('open')
    expect([(await next()).id, (await next()).id]).toEqual([1, 2])
    await ended
    expect(await rest()).toBeUndefined()
  })

  test('ends within its grace although a handler never does', async () => {
    const { input, send, next, ended } = await open(async (_, ctx) => {
      ctx.progress({ progress: 1 })
      await new Promise(() => undefined)
      return ''
    })
    send(legacyBody('tools/call', call('a', { progressToken: 1 }), 1))
    await next()
    input.end()
    await expect(ended).resolves.toBeUndefined()
  })

  test('ends when the client takes nothing any more', async () => {
    const { output, ended } = await open(() => 'done')
    output.destroy(new Error('EPIPE'))
    await expect(ended).resolves.toBeUndefined()
  })
})
