import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import * as current from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { defineAgent, definePrompt, defineResource } from '@synchub/agent-sdk'
import { atEnd, closeAll } from '../cleanup.js'
import { callTool } from '../hub-requests.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { echoTool, serveDefined } from '../served-agent.js'
import { MODERN } from './mcp-requests.js'

const note = defineResource({
  uri: 'note://tester/{id}',
  name: 'Notes',
  mimeType: 'text/plain',
  list: () => ({ entries: [{ variables: { id: '1' }, name: 'One' }] }),
  read: ({ id }) => (id === '1' ? '안녕 🎉' : undefined),
})
const greet = definePrompt({
  name: 'greet',
  description: 'Greets.',
  arguments: [{ name: 'who', required: true }],
  write: ({ who }) => `Greet ${who}.`,
})

let hub: RunningHub

beforeAll(async () => {
  const definition = { name: 'Agent', version: '1', tools: [echoTool], resources: [note], prompts: [greet] }
  const agent = await serveDefined(defineAgent(definition))
  hub = await runHub({ agents: { Agent: { url: agent.url, mode: 'direct' } } })
})

afterAll(closeAll)

/** What both generations of the official client can do, under the same names. */
type AnyClient = Pick<
  FirstClient,
  'listResources' | 'listResourceTemplates' | 'readResource' | 'listPrompts' | 'getPrompt' | 'complete'
>

const INFO = { name: 'test', version: '1.0.0' }
const address = () => new URL(`${hub.url}/mcp`)

async function connectFirst(): Promise<AnyClient> {
  const client = new FirstClient(INFO)
  await client.connect(new FirstTransport(address()))
  atEnd(() => client.close())
  return client
}

async function connectCurrent(mode: 'legacy' | 'auto' | { pin: string }): Promise<Partial<AnyClient>> {
  const client = new current.Client(INFO, { versionNegotiation: { mode } })
  await client.connect(new current.StreamableHTTPClientTransport(address()))
  atEnd(() => client.close())
  return client
}

describe.each<[string, () => Promise<Partial<AnyClient>>]>([
  ['the SDK 1.32', connectFirst],
  ['the client 2.4, legacy', () => connectCurrent('legacy')],
  ['the client 2.4, auto', () => connectCurrent('auto')],
  ['the client 2.4, pinned', () => connectCurrent({ pin: MODERN })],
])('%s', (_, connect) => {
  test('lists, reads, fills and completes what agents offer', async () => {
    const client = await connect()
    const { resources = [] } = (await client.listResources?.()) ?? {}
    expect(resources).toMatchObject([{ uri: 'note://tester/1', name: 'One', mimeType: 'text/plain' }])
    const { resourceTemplates = [] } = (await client.listResourceTemplates?.()) ?? {}
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'trace://{traceId}{?owner}',
      'note://tester/{id}',
    ])
    expect(await client.readResource?.({ uri: 'note://tester/1' })).toMatchObject({
      contents: [{ uri: 'note://tester/1', mimeType: 'text/plain', text: '안녕 🎉' }],
    })
    await expect(client.readResource?.({ uri: 'note://tester/2' })).rejects.toMatchObject({
      message: expect.stringMatching(/there is no resource/),
    })
    expect(await client.listPrompts?.()).toMatchObject({ prompts: [{ name: 'greet' }] })
    expect(await client.getPrompt?.({ name: 'greet', arguments: { who: 'Kim' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Kim.' } }],
    })
    const traceId = `trace-${Math.random().toString(36).slice(2)}`
    await callTool(hub.url, 'echo', {}, { traceId })
    const ref = { type: 'ref/resource' as const, uri: 'trace://{traceId}{?owner}' }
    expect(await client.complete?.({ ref, argument: { name: 'traceId', value: traceId.slice(0, 9) } })).toMatchObject({
      completion: { values: [traceId] },
    })
    const { contents: [trace] = [] } = (await client.readResource?.({ uri: `trace://${traceId}` })) ?? {}
    expect(JSON.parse(trace !== undefined && 'text' in trace ? trace.text : '')).toMatchObject({
      traceId,
      callCount: 1,
    })
  })
})
