import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject } from '@synchub/protocol'
import { createMcpHttpConnection, type McpHttpConnectionOptions } from '../../src/index.js'
import { atEnd } from '../cleanup.js'

/** One request as the server got it. */
export interface Exchange {
  readonly method: string
  /** JSON-RPC method; empty for a GET or DELETE. */
  readonly rpcMethod: string
  readonly message: JsonObject
  readonly headers: IncomingMessage['headers']
  readonly res: ServerResponse
  /** Answers with a JSON body. */
  json(body: unknown, status?: number): void
  /** Answers with the result of the request. */
  result(result: JsonObject): void
  /** Begins a stream of events. */
  stream(): void
  /** Sends a message on the stream. */
  event(message: unknown, id?: string): void
}

/** What the test makes of requests; what it leaves out is answered as it should be. */
export type Behaviour = Readonly<Record<string, (exchange: Exchange) => unknown>>

/** A server that speaks MCP up to the point where the test wants it to go wrong. */
export interface RogueServer {
  readonly url: string
  readonly exchanges: readonly Exchange[]
  /** The exchanges of one method. */
  of(rpcMethod: string): readonly Exchange[]
  /** Forgets all sessions, as a server that was restarted has. */
  forgetSessions(): void
}

/** Serves MCP of one era, by hand, until the end of the test. */
export async function serveRogueMcp(era: 'legacy' | 'modern', behaviour: Behaviour = {}): Promise<RogueServer> {
  const exchanges: Exchange[] = []
  const sessions = new Set<string>()
  const usual = era === 'legacy' ? legacyBehaviour(sessions) : MODERN_BEHAVIOUR
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    let body = ''
    for await (const chunk of req) body += String(chunk)
    const exchange = toExchange(req, res, body)
    exchanges.push(exchange)
    const key = exchange.rpcMethod === '' ? exchange.method : exchange.rpcMethod
    const session = req.headers['mcp-session-id']
    if (era === 'legacy' && session !== undefined && !sessions.has(String(session))) {
      exchange.json({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404)
      return
    }
    const behave = behaviour[key] ?? usual[key] ?? usual.other
    await behave?.(exchange)
  }
  const server = createServer((req, res) => void serve(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    exchanges,
    of: (rpcMethod) => exchanges.filter((exchange) => exchange.rpcMethod === rpcMethod),
    forgetSessions: () => sessions.clear(),
  }
}

/** A connection under test. */
export function connectTo(url: string, options: Partial<McpHttpConnectionOptions> = {}) {
  const connection = createMcpHttpConnection({ url, ...options })
  atEnd(() => connection.close())
  return connection
}

function toExchange(req: IncomingMessage, res: ServerResponse, body: string): Exchange {
  const parsed: unknown = body === '' ? {} : JSON.parse(body)
  const message = isJsonObject(parsed) ? parsed : {}
  const json = (answer: unknown, status = 200) => {
    res.writeHead(status, { 'Content-Type': 'application/json' })
    res.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
  return {
    method: req.method ?? '',
    rpcMethod: typeof message.method === 'string' ? message.method : '',
    message,
    headers: req.headers,
    res,
    json,
    result: (result) => json({ jsonrpc: '2.0', id: message.id, result }),
    stream: () => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders(),
    event: (answer, id) => {
      const data = typeof answer === 'string' ? answer : JSON.stringify(answer)
      res.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`)
    },
  }
}

const TOOL = { name: 'work', inputSchema: { type: 'object' } }
const SERVER = { name: 'rogue', version: '1' }

function legacyBehaviour(sessions: Set<string>): Behaviour {
  return {
    'server/discover': ({ json }) => json({ error: 'no such thing' }, 400),
    initialize({ message, res }) {
      const session = randomUUID()
      sessions.add(session)
      const { protocolVersion } = message.params as JsonObject
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: SERVER }
      res.writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': session })
      res.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    },
    'tools/list': ({ result }) => result({ tools: [TOOL] }),
    GET: ({ res }) => res.writeHead(405).end(),
    DELETE: ({ res }) => res.writeHead(200).end(),
    other: ({ res }) => res.writeHead(202).end(),
  }
}

const MODERN_BEHAVIOUR: Behaviour = {
  'server/discover': ({ result }) =>
    result({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    }),
  'tools/list': ({ result }) => result({ resultType: 'complete', tools: [TOOL], ttlMs: 0, cacheScope: 'private' }),
  other: ({ res }) => res.writeHead(405).end(),
}
