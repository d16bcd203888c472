import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '@synchub/protocol'
import { atEnd } from '../cleanup.js'
import { MODERN } from './mcp-requests.js'

/** A stock client that can be asked, and answers by itself. */
export interface AskedClient {
  /** What it was asked, in order: method and parameters. */
  readonly asked: readonly { readonly method: string; readonly params: JsonObject }[]
  callTool(name: string): Promise<JsonObject>
}

/** What a client declares that it can be asked. */
export interface AskedCapabilities {
  readonly elicitation?: { readonly form?: Record<string, never>; readonly url?: Record<string, never> }
  readonly sampling?: Record<string, never>
}

/** Everything that the SDK asks. */
export const ASKED_ALL: AskedCapabilities = { elicitation: { form: {}, url: {} }, sampling: {} }

/** The clients that can be asked, of both packages and in both eras. */
export const ASKED_CLIENTS = ['the SDK 1.32', 'the client 2.4, legacy', 'the client 2.4, modern'] as const

const INFO = { name: 'test', version: '1' }
const WRITTEN = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Thank you!' },
  model: 'of the client',
}

const filled = ({ mode }: JsonObject) => ({
  action: 'accept' as const,
  ...(mode === 'url' ? {} : { content: { size: 3 } }),
})

/** Connects a client that fills in a size, opens pages and has a model. Closed at the end of the test. */
export async function connectAsked(
  kind: (typeof ASKED_CLIENTS)[number],
  hubUrl: string,
  capabilities: AskedCapabilities,
): Promise<AskedClient> {
  const asked: { method: string; params: JsonObject }[] = []
  const take = (method: string, params: object): JsonObject => {
    const taken = { ...params }
    asked.push({ method, params: taken })
    return taken
  }
  const url = new URL(`${hubUrl}/mcp`)
  const { elicitation, sampling } = capabilities
  const declared = {
    ...(elicitation === undefined ? {} : { elicitation: { ...elicitation } }),
    ...(sampling === undefined ? {} : { sampling: {} }),
  }
  if (kind === 'the SDK 1.32') {
    const client = new FirstClient(INFO, { capabilities: declared })
    if (elicitation !== undefined) {
      client.setRequestHandler(ElicitRequestSchema, ({ method, params }) => filled(take(method, params)))
    }
    if (sampling !== undefined) {
      client.setRequestHandler(CreateMessageRequestSchema, ({ method, params }) => {
        take(method, params)
        return WRITTEN
      })
    }
    await client.connect(new FirstTransport(url))
    atEnd(() => client.close())
    return { asked, callTool: (name) => client.callTool({ name, arguments: {} }) }
  }
  const mode = kind === 'the client 2.4, legacy' ? ('legacy' as const) : { pin: MODERN }
  const client = new Client(INFO, { versionNegotiation: { mode }, capabilities: declared })
  if (elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', ({ method, params }) => filled(take(method, params)))
  }
  if (sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', ({ method, params }) => {
      take(method, params)
      return WRITTEN
    })
  }
  await client.connect(new StreamableHTTPClientTransport(url))
  atEnd(() => client.close())
  return { asked, callTool: async (name) => ({ ...(await client.callTool({ name, arguments: {} })) }) }
}
