import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import * as current from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { atEnd, closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveTools, steeredTool } from '../served-agent.js'
import { until } from '../until.js'
import { MODERN } from './mcp-requests.js'

const work = steeredTool('work')
let hub: RunningHub

beforeAll(async () => {
  const agent = await serveTools([work.tool, echoTool])
  hub = await runHub({ agents: { Agent: { url: agent.url, tools: { echo: { mode: 'direct' } } } } })
})

afterAll(closeAll)

/** What all of the clients can do, whatever their API is called. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(name: string, args: object, options?: CallOptions): Promise<object>
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly progress: number }) => void
}

const INFO = { name: 'test', version: '1.0.0' }
const address = () => new URL(`${hub.url}/mcp`)

async function connectFirst(): Promise<AnyClient> {
  const client = new FirstClient(INFO)
  await client.connect(new FirstTransport(address()))
  atEnd(() => client.close())
  return {
    listTools: () => client.listTools(),
    callTool: (name, args, options) => client.callTool({ name, arguments: { ...args } }, undefined, options),
  }
}

async function connectCurrent(mode: 'legacy' | 'auto' | { pin: string }): Promise<AnyClient> {
  const client = new current.Client(INFO, { versionNegotiation: { mode } })
  await client.connect(new current.StreamableHTTPClientTransport(address()))
  atEnd(() => client.close())
  expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern')
  return {
    listTools: () => client.listTools(),
    callTool: (name, args, options) => client.callTool({ name, arguments: { ...args } }, options),
  }
}

describe.each<[string, () => Promise<AnyClient>]>([
  ['the SDK 1.32', connectFirst],
  ['the client 2.4, legacy', () => connectCurrent('legacy')],
  ['the client 2.4, auto', () => connectCurrent('auto')],
  ['the client 2.4, pinned', () => connectCurrent({ pin: MODERN })],
])('%s', (_client, connect) => {
  let client: AnyClient
  beforeAll(async () => {
    client = await connect()
  })

  test('lists and calls tools', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'work'])
    expect(await client.callTool('echo', { city: '서울' })).toMatchObject({ structuredContent: { city: '서울' } })
  })

  test('is told of progress', async () => {
    const seen: number[] = []
    const called = client.callTool('work', {}, { onprogress: ({ progress }) => seen.push(progress) })
    const run = await work.nextRun()
    run.ctx.progress({ progress: 1 })
    await until(() => seen.length === 1)
    run.ctx.progress({ progress: 2 })
    run.complete('done')
    expect(await called).toMatchObject({ content: [{ text: 'done' }] })
    expect(seen).toEqual([1, 2])
  })

  test('cancels', async () => {
    const controller = new AbortController()
    const called = client.callTool('work', {}, { signal: controller.signal }).catch((thrown: unknown) => thrown)
    const run = await work.nextRun()
    controller.abort()
    await until(() => run.ctx.signal.aborted)
    expect(await called).toBeInstanceOf(Object)
  })

  test('gets the code of what is refused', async () => {
    await expect(client.callTool('nothing', {})).rejects.toMatchObject({ code: -32602 })
  })
})

test('the client 2.4 does not read tasks: one that declares them is told so by itself, and the call goes on', async () => {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const client = new current.Client(INFO, { versionNegotiation: { mode: 'auto' }, capabilities })
  await client.connect(new current.StreamableHTTPClientTransport(address()))
  atEnd(() => client.close())
  const called = client.callTool({ name: 'work', arguments: {} }).catch((thrown: unknown) => thrown)
  const run = await work.nextRun()
  expect(await called).toMatchObject({ code: 'UNSUPPORTED_RESULT_TYPE', data: { resultType: 'task' } })
  expect(run.ctx.signal.aborted).toBe(false)
  run.complete()
})
