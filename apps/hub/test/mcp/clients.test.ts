import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { atEnd, closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveTools, steeredTool } from '../served-agent.js'
import { describeStockClients } from './stock-clients.js'

const work = steeredTool('work')
let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([work.tool, echoTool])
  hub = await runHub({ agents: { Agent: { url: agent.url, tools: { echo: { mode: 'direct' } } } } })
})

afterAll(closeAll)

const address = () => new URL(`${hub.url}/mcp`)

describeStockClients(
  'HTTP',
  work,
  { first: () => new FirstTransport(address()), current: () => new StreamableHTTPClientTransport(address()) },
  (client) => {
    test('lists and calls tools', async () => {
      expect((await client().listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'work'])
      expect(await client().callTool('echo', { city: '서울' })).toMatchObject({ structuredContent: { city: '서울' } })
    })
  },
)

test('the client 2.4 does not read tasks: one that declares them is told so by itself, and the call goes on', async () => {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities })
  await client.connect(new StreamableHTTPClientTransport(address()))
  atEnd(() => client.close())
  const called = client.callTool({ name: 'work', arguments: {} }).catch((thrown: unknown) => thrown)
  const run = await work.nextRun()
  expect(await called).toMatchObject({ code: 'UNSUPPORTED_RESULT_TYPE', data: { resultType: 'task' } })
  expect(run.ctx.signal.aborted).toBe(false)
  run.complete()
})
