import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { LOCAL_PRINCIPAL } from '@synchub/auth'
import { systemClock } from '@synchub/telemetry'
import { McpExchange } from '../../src/mcp/exchange.js'
import { HttpReply } from '../../src/mcp/http-reply.js'
import { atEnd, closeAll } from '../cleanup.js'
import { getJson } from '../hub-requests.js'
import { connectRaw } from '../raw-connection.js'
import { type RedisProxy, startRedisProxy } from '../redis-proxy.js'
import { type RunningHub, runHub, sharedRedis } from '../running-hub.js'
import { serveTools, steeredTool } from '../served-agent.js'
import { until } from '../until.js'
import { modernRequest } from './mcp-requests.js'

let proxy: RedisProxy
let hub: RunningHub

beforeAll(async () => {
  proxy = await startRedisProxy(sharedRedis())
  const agent = await serveTools([steeredTool('short').tool, steeredTool('long').tool])
  hub = await runHub({
    agents: { Agent: { url: agent.url, tools: { short: { mode: 'direct' } } } },
    hubRedisUrl: proxy.url,
  })
})

afterAll(closeAll)

/** The hub has read whatever reached it on other connections before this. */
const settled = () => getJson(hub.url, '/healthz')

test.each(['short', 'long'])('a client that leaves while its call is being admitted cancels it: %s', async (name) => {
  const { frame, headers } = modernRequest('tools/call', { name, arguments: {} }, { traceId: `admitted-${name}` })
  const body = JSON.stringify(frame)
  const lines = Object.entries({ ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length })
  const { socket } = await connectRaw(hub.url)
  proxy.freeze()
  const head = ['POST /mcp HTTP/1.1', `Host: ${new URL(hub.url).host}`, ...lines.map((line) => line.join(': '))]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await settled()
  socket.destroy()
  await settled()
  proxy.thaw()
  let last: string | undefined
  await until(async () => {
    const trace = `/traces/admitted-${name}/events`
    const { body: page } = await getJson<{ items?: { event: string }[] }>(hub.url, trace)
    last = page.items?.at(-1)?.event
    return last === 'cancelled'
  })
  expect(last).toBe('cancelled')
})

test('a request whose client left before it was looked at is cancelled from the start', async () => {
  const responses: ServerResponse[] = []
  const server = createServer((_req, res) => void responses.push(res)).listen(0, '127.0.0.1')
  atEnd(() => server.close())
  await once(server, 'listening')
  const { socket } = await connectRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => responses.length === 1)
  const [res] = responses as [ServerResponse]
  socket.destroy()
  await once(res, 'close')
  const { streams } = hub.config
  const acceptance = { json: true, stream: true, namesStream: true }
  const reply = new HttpReply(res, { acceptance, config: streams, clock: systemClock })
  const parts = { principal: LOCAL_PRINCIPAL, headers: {}, res, reply, session: undefined }
  const modern = new McpExchange({ era: 'modern', id: 1, method: 'tools/call', params: {} }, parts)
  expect([modern.isCancelled, modern.cancelled.aborted, modern.gone.aborted]).toEqual([true, true, true])
  const legacy = new McpExchange({ era: 'legacy', id: 1, method: 'tools/call', params: {} }, parts)
  expect([legacy.isCancelled, legacy.cancelled.aborted, legacy.gone.aborted]).toEqual([false, false, true])
})
