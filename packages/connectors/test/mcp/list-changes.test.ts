import { afterEach, describe, expect, jest, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { connectTo, type Exchange, serveRogueMcp } from '../mcp-http/rogue-server.js'
import { prepareRogue } from '../mcp-stdio/rogue-child.js'
import { callTool } from '../seen-call.js'
import { until } from '../until.js'

jest.setTimeout(30_000)

const never = new AbortController().signal
const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

afterEach(closeAll)

/** Counts what is told. */
function counter() {
  let changes = 0
  return { onListChange: () => void changes++, count: () => changes }
}

describe('a change of the lists', () => {
  test('is told by a child process, of each kind', async () => {
    const { onListChange, count } = counter()
    const { connection } = prepareRogue('', { onListChange })
    await callTool(connection, 'change')
    expect(count()).toBe(3)
  })

  test('is told by a server of the handshake era on its own stream', async () => {
    const { onListChange, count } = counter()
    const streams: Exchange[] = []
    const server = await serveRogueMcp('legacy', {
      GET(exchange) {
        exchange.stream()
        streams.push(exchange)
      },
    })
    await connectTo(server.url, { onListChange }).listTools(never)
    await until(() => streams.length === 1, 'the stream is open')
    expect(count()).toBe(0)
    streams[0]?.event(CHANGED)
    await until(() => count() === 1, 'the change is told')
  })

  const capabilities = (listChanged: boolean) => ({
    'server/discover': ({ result }: Exchange) =>
      result({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged }, prompts: {}, resources: { listChanged } },
        ttlMs: 0,
        cacheScope: 'private',
      }),
  })

  /** A modern server that acknowledges subscriptions; `tell` sends a change on the last of them. */
  async function serveListening() {
    const listening: Exchange[] = []
    const metaOf = ({ message }: Exchange) => ({ 'io.modelcontextprotocol/subscriptionId': message.id })
    const server = await serveRogueMcp('modern', {
      ...capabilities(true),
      'subscriptions/listen'(exchange) {
        const { notifications } = exchange.message.params as JsonObject
        exchange.stream()
        exchange.event({
          jsonrpc: '2.0',
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications, _meta: metaOf(exchange) },
        })
        listening.push(exchange)
      },
    })
    return {
      server,
      listening,
      tell() {
        const last = listening.at(-1)
        if (last !== undefined) last.event({ ...CHANGED, params: { _meta: metaOf(last) } })
      },
    }
  }

  test('is told by a server of the modern era that was asked to, of what it said that it tells', async () => {
    const { onListChange, count } = counter()
    const { server, listening, tell } = await serveListening()
    const connection = connectTo(server.url, { onListChange })
    for (const _ of [1, 2, 3]) await connection.listTools(never)
    await until(() => listening.length === 1, 'it is listened to')
    expect(listening[0]?.message.params).toMatchObject({
      notifications: { toolsListChanged: true, resourcesListChanged: true },
    })
    expect(JSON.stringify(listening[0]?.message.params)).not.toContain('promptsListChanged')
    await until(() => {
      tell()
      return count() > 0
    }, 'the change is told')
    expect(listening).toHaveLength(1)
  })

  test('is listened to anew with the next list, once the stream has ended', async () => {
    const { onListChange, count } = counter()
    const { server, listening, tell } = await serveListening()
    const connection = connectTo(server.url, { onListChange })
    await connection.listTools(never)
    await until(() => listening.length === 1, 'it is listened to')
    listening[0]?.res.destroy()
    await until(async () => {
      await connection.listTools(never)
      return listening.length === 2
    }, 'it is listened to again')
    await until(() => {
      tell()
      return count() > 0
    }, 'the change is told')
    expect(listening.length).toBeGreaterThan(1)
  })

  test('is asked for neither by whoever does not want to know, nor of a server that does not tell', async () => {
    const { server } = await serveListening()
    await connectTo(server.url).listTools(never)
    expect(server.of('subscriptions/listen')).toEqual([])
    const silent = await serveRogueMcp('modern', capabilities(false))
    await connectTo(silent.url, counter()).listTools(never)
    expect(silent.of('subscriptions/listen')).toEqual([])
  })

  test('that a server refuses to tell takes nothing from its lists', async () => {
    const notices: string[] = []
    const server = await serveRogueMcp('modern', {
      ...capabilities(true),
      'subscriptions/listen': ({ json, message }) =>
        json({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'not today' } }),
    })
    const connection = connectTo(server.url, { ...counter(), notice: (reason) => notices.push(reason) })
    expect((await connection.listTools(never)).offers).toHaveLength(1)
    await until(() => notices.length > 0, 'it is told')
    expect((await connection.listTools(never)).offers).toHaveLength(1)
    // It is not asked for ever.
    expect(server.of('subscriptions/listen')).toHaveLength(1)
    expect(notices).toEqual([expect.stringMatching(/^the agent does not tell when its lists change: .*not today/)])
  })
})
