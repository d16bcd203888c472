import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { HubConnection } from '@synchub/client'
import { type JsonObject, META_KEYS, readLines } from '@synchub/protocol'
import { Bridge } from '../../src/bridge/bridge.js'
import { LineOutput } from '../../src/bridge/line-output.js'

/** A message as it reached the hub. */
export interface PostedMessage {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: { readonly id?: string | number; readonly method?: string; readonly params?: JsonObject }
  readonly res: ServerResponse
}

/** A GET or DELETE of the session as it reached the hub. */
export interface SessionRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly res: ServerResponse
}

/** A hub whose sessions have no stream. */
function withoutStream(method: string, res: ServerResponse): void {
  res.writeHead(method === 'DELETE' ? 204 : 405).end()
}

/** Plays the hub's MCP endpoint for one message. */
export type McpScript = (message: PostedMessage) => unknown

/** A bridge in this process, between lines of the test and a hub that plays by a script. */
export interface BridgedHub {
  readonly url: string
  /** Everything that reached the hub. */
  readonly posted: readonly PostedMessage[]
  /** What was asked of the session itself. */
  readonly sessions: readonly SessionRequest[]
  readonly logs: readonly string[]
  /** Writes a message as one line; a text is written as it is. */
  send(message: unknown): void
  /** The next message that the bridge wrote. */
  next(): Promise<JsonObject>
  /** Ends the input, and gives what the bridge wrote until its own end. */
  end(): Promise<readonly JsonObject[]>
  goDown(): Promise<void>
  comeBack(): Promise<void>
}

const closers: (() => Promise<unknown>)[] = []

/** For `afterEach`: stops the hubs and bridges of a test. */
export async function closeBridges(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
}

/** Starts a hub that plays by this script, and a bridge to it. */
export async function bridgeTo(script: McpScript, playSession = withoutStream): Promise<BridgedHub> {
  const posted: PostedMessage[] = []
  const sessions: SessionRequest[] = []
  const server = createServer((req, res) => {
    if (req.method !== 'POST') {
      sessions.push({ method: req.method ?? '', headers: req.headers, res })
      return playSession(req.method ?? '', res)
    }
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const message = { path: req.url ?? '', headers: req.headers, text, body: JSON.parse(text), res }
      posted.push(message)
      void script(message)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const goDown = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const [input, output] = [new PassThrough(), new PassThrough()]
  const logs: string[] = []
  const connection = new HubConnection({ baseUrl: url, apiKey: 'key-1' })
  const bridge = new Bridge({ connection, input, output: new LineOutput(output), log: (text) => logs.push(text) })
  const ended = bridge.run().finally(() => output.end())
  closers.push(async () => {
    input.end()
    await ended
    await goDown()
  })
  const lines = readLines(output, 1024 * 1024)
  const read = async (): Promise<JsonObject | undefined> => {
    const { value } = await lines.next()
    if (value === undefined) return undefined
    if (value.kind !== 'line') throw new Error(value.reason)
    return JSON.parse(value.text)
  }
  return {
    url,
    posted,
    sessions,
    logs,
    send: (message) => void input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    async next() {
      const message = await read()
      if (message === undefined) throw new Error('the bridge wrote no further line')
      return message
    },
    async end() {
      input.end()
      const rest: JsonObject[] = []
      for (let message = await read(); message !== undefined; message = await read()) rest.push(message)
      await ended
      return rest
    },
    goDown,
    async comeBack() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

/** A request of the modern era. */
export function modern(id: unknown, method: string, params: JsonObject = {}): JsonObject {
  const meta = { [META_KEYS.protocolVersion]: '2026-07-28', [META_KEYS.clientCapabilities]: {} }
  const own = (params._meta ?? {}) as JsonObject
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...meta, ...own } } }
}

/** A request of the legacy era. */
export function legacy(id: unknown, method: string, params: JsonObject = {}): JsonObject {
  return { jsonrpc: '2.0', id, method, params }
}

/** A notification. */
export function notice(method: string, params: JsonObject = {}): JsonObject {
  return { jsonrpc: '2.0', method, params }
}

/** Answers one JSON message. */
export function sendMessage(
  { res }: PostedMessage,
  message: JsonObject,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(message))
}

/** Answers a result. */
export function sendResult(
  posted: PostedMessage,
  result: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendMessage(posted, { jsonrpc: '2.0', id: posted.body.id, result }, { headers })
}

/** Begins a stream of messages; each event is written as it is given. */
export function openStream({ res }: PostedMessage): (message: JsonObject) => void {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' })
  res.flushHeaders()
  return (message) => void res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}

/** The handshake, answered with a session. */
export function handshake(posted: PostedMessage, session = 'session-1'): boolean {
  const { method } = posted.body
  if (method === 'initialize') {
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'hub', version: '1' } }
    sendResult(posted, result, { 'Mcp-Session-Id': session })
    return true
  }
  if (posted.body.id !== undefined) return false
  posted.res.writeHead(202).end()
  return true
}
