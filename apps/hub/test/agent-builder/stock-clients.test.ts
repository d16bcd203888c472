import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { closeAll } from '../cleanup.js'
import { openPlace } from '../running-hub.js'
import { manifestTool, sending, serveToolService, type ToolService } from './tool-service.js'

const IDENTITY = { name: 'stock-client', version: '1.0.0' }
const SEARCH = { name: 'search', arguments: { query: '연차' } }

let service: ToolService
let address: URL

beforeAll(async () => {
  service = await serveToolService([manifestTool('search'), manifestTool('leave')])
  const path = { name: 'hr', title: 'HR tools', version: '2.0.0', url: service.url, manifest: 'manifest.json' }
  const place = await openPlace({ publicPaths: { '/agent-builder/hr': path } })
  address = new URL('/agent-builder/hr', (await place.startHub()).url)
})
afterAll(closeAll)

async function connectEarlier() {
  const client = new EarlierClient(IDENTITY)
  await client.connect(new EarlierTransport(address))
  return client
}

async function connect(mode: 'legacy' | 'auto') {
  const client = new Client(IDENTITY, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(address))
  return client
}

describe('an official client on a public path', () => {
  test.each<[string, () => Promise<Client | EarlierClient>]>([
    ['1.32', connectEarlier],
    ['2.4 as it comes', () => connect('legacy')],
    ['2.4 that looks for the newest revision first', () => connect('auto')],
  ])('%s opens it, lists its tools and calls them', async (_, open) => {
    const client = await open()
    expect(client.getServerVersion()).toMatchObject({ name: 'hr', title: 'HR tools', version: '2.0.0' })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['leave', 'search'])
    service.behave(sending('application/json', '{ "days": 12 }'))
    expect(await client.callTool(SEARCH)).toMatchObject({
      content: [{ type: 'text', text: '{"days":12}', _meta: { searchTime: expect.any(Number) } }],
      isError: false,
    })
    service.behave(sending('text/plain', 'not yours', 403))
    expect(await client.callTool(SEARCH)).toMatchObject({ content: [{ text: 'not yours' }], isError: true })
    await expect(client.callTool({ name: 'search', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid params: 'query' is required"),
    })
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32601 })
    await client.ping()
    await client.close()
  })
})
