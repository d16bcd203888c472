import { beforeAll, describe, expect, test } from '@jest/globals'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport as FirstTransport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { atEnd } from '../cleanup.js'
import type { SentHeaders } from '../hub-requests.js'
import type { steeredTool } from '../served-agent.js'
import { until } from '../until.js'
import { MODERN } from './mcp-requests.js'

/** What all of the clients can do, whatever their API is called. */
export interface StockClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(name: string, args: object, options?: CallOptions): Promise<object>
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { readonly progress: number }) => void
}

/** How a client reaches the hub; made anew for each. */
interface Reach {
  readonly first: () => FirstTransport
  readonly current: () => Transport
}

const INFO = { name: 'test', version: '1.0.0' }

async function connectFirst(transport: FirstTransport): Promise<StockClient> {
  const client = new FirstClient(INFO)
  await client.connect(transport)
  atEnd(() => client.close())
  return {
    listTools: () => client.listTools(),
    callTool: (name, args, options) => client.callTool({ name, arguments: { ...args } }, undefined, options),
  }
}

async function connectCurrent(transport: Transport, mode: 'legacy' | 'auto' | { pin: string }): Promise<StockClient> {
  const client = new Client(INFO, { versionNegotiation: { mode } })
  await client.connect(transport)
  atEnd(() => client.close())
  expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern')
  return {
    listTools: () => client.listTools(),
    callTool: (name, args, options) => client.callTool({ name, arguments: { ...args } }, options),
  }
}

/** What every stock client can do, of both packages and in both eras, with the tools `echo` and `work`; `more` only over this way. */
export function describeStockClients(
  way: string,
  work: ReturnType<typeof steeredTool>,
  reach: Reach,
  more: (client: () => StockClient) => void,
): void {
  describe.each<[string, () => Promise<StockClient>]>([
    ['the SDK 1.32', () => connectFirst(reach.first())],
    ['the client 2.4, legacy', () => connectCurrent(reach.current(), 'legacy')],
    ['the client 2.4, auto', () => connectCurrent(reach.current(), 'auto')],
    ['the client 2.4, pinned', () => connectCurrent(reach.current(), { pin: MODERN })],
  ])(`%s over ${way}`, (_client, connect) => {
    let client: StockClient
    beforeAll(async () => {
      client = await connect()
    })

    more(() => client)

    test('is told of progress before the answer', async () => {
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

    test('cancels what an agent works on', async () => {
      const controller = new AbortController()
      const called = client.callTool('work', {}, { signal: controller.signal }).catch((thrown: unknown) => thrown)
      const run = await work.nextRun()
      controller.abort()
      await until(() => run.ctx.signal.aborted)
      expect(await called).toBeInstanceOf(Error)
    })

    test('gets the code of what is refused', async () => {
      await expect(client.callTool('nothing', {})).rejects.toMatchObject({ code: -32602 })
    })
  })
}

/** What a client answers that is asked for a form. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: { name: string } }
  | { readonly action: 'decline' | 'cancel' }

/** A client 2.4 that answers by itself what it is asked: with `answers` in turn, then by cancelling. Closed at the end of the test. */
export async function connectAnswering(hubUrl: string, answers: readonly FormAnswer[], headers: SentHeaders = {}) {
  const client = new Client(INFO, {
    versionNegotiation: { mode: 'auto' },
    capabilities: { elicitation: { form: {} } },
  })
  let asked = 0
  client.setRequestHandler('elicitation/create', async () => answers[asked++] ?? { action: 'cancel' as const })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hubUrl}/mcp`), { requestInit: { headers } }))
  atEnd(() => client.close())
  return { client, timesAsked: () => asked }
}
