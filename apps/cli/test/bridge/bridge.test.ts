import { once } from 'node:events'
import { afterEach, describe, expect, test } from '@jest/globals'
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

describe('a modern request over lines', () => {
  test('is posted as it was written, under the headers that its body makes', async () => {
    const hub = await bridgeTo((posted) => sendResult(posted, { resultType: 'complete' }))
    const text = JSON.stringify(modern('a', 'tools/call', { name: '검색', arguments: { n: 1 } })).replace(
      '"n":1',
      '"n": 1.50',
    )
    hub.send(text)
    expect(await hub.next()).toEqual({ jsonrpc: '2.0', id: 'a', result: { resultType: 'complete' } })
    const [posted] = hub.posted
    expect(posted).toMatchObject({ path: '/mcp', text })
    expect(posted?.headers).toMatchObject({
      authorization: 'Bearer key-1',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('검색').toString('base64')}?=`,
    })
    expect(posted?.headers).not.toHaveProperty('mcp-session-id')
  })

  test('is answered as its answer comes, in whatever order, under its own id', async () => {
    const waiting: PostedMessage[] = []
    const hub = await bridgeTo((posted) => waiting.push(posted))
    const ids = [0, '', 'x', 7, -1, '0']
    for (const id of ids) hub.send(modern(id, 'tools/list'))
    await until(() => waiting.length === ids.length)
    for (const posted of waiting.toReversed()) {
      sendResult(posted, { echo: posted.body.id })
      expect(await hub.next()).toEqual({ jsonrpc: '2.0', id: posted.body.id, result: { echo: posted.body.id } })
    }
  })

  test('has what is streamed before its answer written before its answer', async () => {
    const hub = await bridgeTo((posted) => {
      const write = openStream(posted)
      write(notice('notifications/progress', { progressToken: 0, progress: 1 }))
      write(notice('notifications/progress', { progressToken: 0, progress: 2 }))
      write({ jsonrpc: '2.0', id: posted.body.id, result: { done: true } })
      posted.res.end()
    })
    hub.send(modern(1, 'tools/call', { name: 'work', _meta: { progressToken: 0 } }))
    const seen = [await hub.next(), await hub.next(), await hub.next()]
    expect(seen.map(({ method, result }) => method ?? result)).toEqual([
      'notifications/progress',
      'notifications/progress',
      { done: true },
    ])
  })

  test('that is cancelled ends its connection, and gets no response', async () => {
    const waiting: PostedMessage[] = []
    const hub = await bridgeTo((posted) => {
      if (posted.body.method === 'ping') return sendResult(posted, {})
      openStream(posted)
      return waiting.push(posted)
    })
    hub.send(modern(1, 'tools/call', { name: 'work' }))
    await until(() => waiting.length === 1)
    hub.send(notice('notifications/cancelled', { requestId: 1, reason: 'enough' }))
    const [posted] = waiting
    if (posted !== undefined && !posted.res.closed) await once(posted.res, 'close')
    hub.send(modern(2, 'ping'))
    expect(await hub.next()).toMatchObject({ id: 2 })
    expect(hub.posted.map(({ body }) => body.method)).toEqual(['tools/call', 'ping'])
    // Its id is free again.
    hub.send(modern(1, 'ping'))
    expect(await hub.next()).toMatchObject({ id: 1, result: {} })
  })

  test('whose metadata make no headers is refused without a word to the hub', async () => {
    const hub = await bridgeTo((posted) => sendResult(posted, {}))
    hub.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } },
    })
    expect(await hub.next()).toMatchObject({ id: 1, error: { code: -32602 } })
    expect(hub.posted).toHaveLength(0)
  })
})

describe('parameters that a tool wants in headers', () => {
  const tool = {
    name: 'pay',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  }
  const call = (id: number, region: string) => modern(id, 'tools/call', { name: 'pay', arguments: { region } })

  test('are learned of the hub once it has refused a call for them, and sent from then on', async () => {
    const hub = await bridgeTo((posted) => {
      const { body, headers } = posted
      const { cursor } = body.params ?? {}
      if (body.method === 'tools/list')
        return sendResult(
          posted,
          cursor === undefined ? { tools: [{ name: 'x' }], nextCursor: 'p2' } : { tools: [tool] },
        )
      if (headers['mcp-param-region'] !== undefined) return sendResult(posted, { region: headers['mcp-param-region'] })
      const error = { code: -32020, message: 'Header mismatch: Mcp-Param-Region is missing' }
      return sendMessage(posted, { jsonrpc: '2.0', id: body.id, error }, { status: 400 })
    })
    hub.send(call(1, 'eu'))
    expect(await hub.next()).toMatchObject({ id: 1, result: { region: 'eu' } })
    hub.send(call(2, 'kr'))
    expect(await hub.next()).toMatchObject({ id: 2, result: { region: 'kr' } })
    expect(hub.posted.map(({ body }) => body.method)).toEqual([
      'tools/call',
      'tools/list',
      'tools/list',
      'tools/call',
      'tools/call',
    ])
    expect(hub.posted[1]?.headers).toMatchObject({ 'mcp-method': 'tools/list', 'mcp-protocol-version': '2026-07-28' })
  })

  test('are not asked for twice where the hub refuses all the same', async () => {
    const hub = await bridgeTo((posted) => {
      if (posted.body.method === 'tools/list') return sendResult(posted, { tools: [] })
      const error = { code: -32020, message: 'Header mismatch' }
      return sendMessage(posted, { jsonrpc: '2.0', id: posted.body.id, error }, { status: 400 })
    })
    hub.send(call(1, 'eu'))
    expect(await hub.next()).toMatchObject({ id: 1, error: { code: -32020 } })
    expect(hub.posted).toHaveLength(2)
  })
})

describe('a legacy client over lines', () => {
  test('has its session and revision in headers, from the handshake on', async () => {
    const hub = await bridgeTo((posted) => handshake(posted) || sendResult(posted, {}))
    // All at once, as a hasty client might: what comes after the handshake waits for it.
    hub.send(legacy(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }))
    hub.send(notice('notifications/initialized'))
    hub.send(legacy(1, 'ping'))
    expect(await hub.next()).toMatchObject({ id: 0, result: { serverInfo: { name: 'hub' } } })
    expect(await hub.next()).toMatchObject({ id: 1, result: {} })
    await until(() => hub.posted.length === 3)
    const [first, ...rest] = hub.posted
    expect(first?.headers).not.toHaveProperty('mcp-protocol-version')
    for (const { headers } of rest) {
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 'session-1' })
      expect(headers).not.toHaveProperty('mcp-method')
    }
  })

  test('cancels by a message, and gets no response to what it cancelled', async () => {
    let work: PostedMessage | undefined
    const hub = await bridgeTo((posted) => {
      if (posted.body.method === 'tools/call') work = posted
      else if (posted.body.method === 'notifications/cancelled') {
        posted.res.writeHead(202).end()
        work?.res.writeHead(204).end()
      } else if (!handshake(posted)) sendResult(posted, {})
    })
    hub.send(legacy(0, 'initialize', {}))
    await hub.next()
    hub.send(legacy(5, 'tools/call', { name: 'work' }))
    await until(() => work !== undefined)
    hub.send(notice('notifications/cancelled', { requestId: 5, reason: 'enough' }))
    await until(() => hub.posted.length === 3)
    expect(hub.posted[2]).toMatchObject({
      body: { params: { requestId: 5 } },
      headers: { 'mcp-session-id': 'session-1' },
    })
    hub.send(legacy(6, 'ping'))
    expect(await hub.next()).toMatchObject({ id: 6 })
    // What is over needs no cancel.
    hub.send(notice('notifications/cancelled', { requestId: 5 }))
    hub.send(legacy(7, 'ping'))
    await hub.next()
    expect(hub.posted).toHaveLength(5)
  })

  test('answers what the hub asks within its session', async () => {
    const hub = await bridgeTo((posted) => {
      if (handshake(posted)) return
      const write = openStream(posted)
      write({ jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params: {} })
      write({ jsonrpc: '2.0', id: posted.body.id, result: {} })
      posted.res.end()
    })
    hub.send(legacy(0, 'initialize', {}))
    await hub.next()
    hub.send(legacy(1, 'tools/call', { name: 'ask' }))
    expect(await hub.next()).toMatchObject({ id: 'q1', method: 'elicitation/create' })
    hub.send({ jsonrpc: '2.0', id: 'q1', result: { action: 'accept' } })
    expect(await hub.next()).toMatchObject({ id: 1, result: {} })
    await until(() => hub.posted.length === 3)
    expect(JSON.parse(hub.posted[2]?.text ?? '')).toEqual({ jsonrpc: '2.0', id: 'q1', result: { action: 'accept' } })
  })

  test('has its session opened anew, once, when the hub has forgotten it', async () => {
    let sessions = 0
    const hub = await bridgeTo((posted) => {
      if (posted.body.method === 'initialize') return handshake(posted, `session-${++sessions}`)
      if (handshake(posted)) return
      if (posted.headers['mcp-session-id'] === 'session-2') return sendResult(posted, {})
      return sendMessage(
        posted,
        { jsonrpc: '2.0', error: { code: -31404, message: 'no such session' } },
        { status: 404 },
      )
    })
    hub.send(legacy(0, 'initialize', { clientInfo: { name: 'host' } }))
    await hub.next()
    for (const id of [1, 2, 3]) hub.send(legacy(id, 'ping'))
    const answers = [await hub.next(), await hub.next(), await hub.next()]
    expect(answers.map(({ result }) => result)).toEqual([{}, {}, {}])
    expect(sessions).toBe(2)
    const reopening = hub.posted.filter(({ body }) => body.method === 'initialize')[1]
    expect(reopening?.body.params).toEqual({ clientInfo: { name: 'host' } })
  })
})
