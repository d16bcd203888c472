import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as EarlierStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as EarlierHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

const IDENTITY = { name: 'stock-client', version: '1.0.0' }

/** How an agent is reached: where it listens, or how it is started. */
export type Place = { readonly url: URL } | { readonly args: readonly string[]; readonly env: Record<string, string> }

/** What the tests ask of a client, whoever wrote it. */
export interface StockClient {
  /** The revision family that client and agent agreed on. */
  readonly era: string
  readonly serverName: string | undefined
  readonly listTools: () => Promise<{ tools: readonly { name: string }[] }>
  readonly callTool: (name: string, args: object) => Promise<Record<string, unknown>>
  readonly listResources: () => Promise<{ resources: readonly unknown[] }>
  readonly listTemplates: () => Promise<{ resourceTemplates: readonly unknown[] }>
  readonly readResource: (uri: string) => Promise<{ contents: readonly unknown[] }>
  readonly close: () => Promise<void>
}

/** The official clients, as their users write them. */
export const STOCK_CLIENTS: Readonly<Record<string, (place: Place) => Promise<StockClient>>> = {
  'client 1.32': connectEarlier,
  'client 2.4 as it comes': async (place) => connect(place, 'legacy'),
  'client 2.4 that finds the newest revision': async (place) => connect(place, 'auto'),
  'client 2.4 for one revision': async (place) => connect(place, { pin: '2026-07-28' }),
}

async function connect(place: Place, mode: 'legacy' | 'auto' | { pin: string }): Promise<StockClient> {
  const client = new Client(IDENTITY, { versionNegotiation: { mode } })
  await client.connect(
    'url' in place ? new StreamableHTTPClientTransport(place.url) : new StdioClientTransport(commandOf(place)),
  )
  return {
    era: client.getProtocolEra() ?? 'none',
    serverName: client.getServerVersion()?.name,
    listTools: async () => client.listTools(),
    callTool: async (name, args) => client.callTool({ name, arguments: { ...args } }),
    listResources: async () => client.listResources(),
    listTemplates: async () => client.listResourceTemplates(),
    readResource: async (uri) => client.readResource({ uri }),
    close: async () => client.close(),
  }
}

async function connectEarlier(place: Place): Promise<StockClient> {
  const client = new EarlierClient(IDENTITY)
  // Its HTTP transport is declared without regard to exactOptionalPropertyTypes, though it is one.
  const transport =
    'url' in place ? (new EarlierHttpTransport(place.url) as Transport) : new EarlierStdioTransport(commandOf(place))
  await client.connect(transport)
  return {
    era: 'legacy',
    serverName: client.getServerVersion()?.name,
    listTools: async () => client.listTools(),
    callTool: async (name, args) => client.callTool({ name, arguments: { ...args } }),
    listResources: async () => client.listResources(),
    listTemplates: async () => client.listResourceTemplates(),
    readResource: async (uri) => client.readResource({ uri }),
    close: async () => client.close(),
  }
}

function commandOf({ args, env }: Exclude<Place, { url: URL }>) {
  return { command: process.execPath, args: [...args], env, stderr: 'ignore' as const }
}
