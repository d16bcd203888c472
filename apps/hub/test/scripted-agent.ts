import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@synchub/protocol'
import { atEnd } from './cleanup.js'

/** A `tools/call` as it reached an agent. */
export interface AgentRequest {
  readonly id: unknown
  readonly name: string
  readonly arguments: JsonObject
  readonly meta: JsonObject
  readonly req: IncomingMessage
}

/** An agent that does what the test says, right or wrong. */
export interface ScriptedAgent {
  readonly url: string
  /** Calls in the order in which they came. */
  readonly calls: readonly AgentRequest[]
  /** `notifications/cancelled` that came: the ids of the calls. */
  readonly cancelled: readonly unknown[]
  /** Bytes of every request: heads and bodies. */
  readonly received: readonly string[]
  /** What its lists answer from now on; those that are not named are no methods of it. */
  offer(tools: readonly unknown[], others?: OtherLists): void
  /** What `tools/call` does from now on. */
  behave(behaviour: Behaviour): void
  /** Takes no connections any more; those that are open are cut. */
  goDown(): Promise<void>
  /** Listens again, at the same address. */
  comeBack(): Promise<void>
}

/** What an agent offers beside tools. */
export interface OtherLists {
  readonly prompts?: readonly JsonObject[]
  readonly resources?: readonly JsonObject[]
}

/** Answers one call. */
export type Behaviour = (res: ServerResponse, call: AgentRequest) => unknown

/** A tool as `tools/list` shows it, taking any arguments. */
export function toolOf(name: string, more: JsonObject = {}): JsonObject {
  return { name, description: `The tool ${name}`, inputSchema: { type: 'object' }, ...more }
}

/** Serves an agent that is scripted. */
export async function serveScript(
  tools: readonly unknown[],
  behaviour: Behaviour = answerText,
): Promise<ScriptedAgent> {
  const state: { tools: readonly unknown[]; others: OtherLists; behaviour: Behaviour } = {
    tools,
    others: {},
    behaviour,
  }
  const calls: AgentRequest[] = []
  const cancelled: unknown[] = []
  const received: string[] = []
  const server = createServer((req, res) => {
    void take(req, res)
  })
  const take = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    received.push(`${req.rawHeaders.join('\n')}\n${text}`)
    const { id, method, params } = JSON.parse(text) as { id?: unknown; method: string; params: JsonObject }
    if (method === 'tools/list') return sendResult(res, id, { tools: state.tools })
    const { prompts, resources } = state.others
    if (method === 'prompts/list' && prompts !== undefined) return sendResult(res, id, { prompts })
    if (method === 'resources/list' && resources !== undefined) return sendResult(res, id, { resources })
    if (method === 'notifications/cancelled') {
      cancelled.push(params.requestId)
      res.writeHead(202, { 'Content-Length': 0 }).end()
      return
    }
    if (method !== 'tools/call') return sendFailure(res, id, { code: -32601, message: `no ${method} here` }, 404)
    const call: AgentRequest = {
      id,
      name: String(params.name),
      arguments: params.arguments as JsonObject,
      meta: params._meta as JsonObject,
      req,
    }
    calls.push(call)
    await state.behaviour(res, call)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const goDown = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  atEnd(goDown)
  return {
    url: `http://127.0.0.1:${port}/`,
    calls,
    cancelled,
    received,
    offer(next, others = {}) {
      state.tools = next
      state.others = others
    },
    behave(next) {
      state.behaviour = next
    },
    goDown,
    async comeBack() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

/** Sends a JSON-RPC frame. */
export function sendFrame(res: ServerResponse, frame: JsonObject, status = 200): void {
  const text = JSON.stringify({ jsonrpc: '2.0', ...frame })
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text)
}

/** Answers a result. */
export function sendResult(res: ServerResponse, id: unknown, result: unknown): void {
  sendFrame(res, { id, result })
}

/** Answers an error object. */
export function sendFailure(res: ServerResponse, id: unknown, error: JsonObject, status = 200): void {
  sendFrame(res, { id, error }, status)
}

/** Answers the text `ok`. */
export function answerText(res: ServerResponse, { id }: AgentRequest): void {
  sendResult(res, id, { content: [{ type: 'text', text: 'ok' }], isError: false })
}

/** Begins a stream of events. */
export function openStream(res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' })
  res.flushHeaders()
}

/** Writes one event; a text is written as it is. */
export function writeEvent(res: ServerResponse, event: string, data: unknown): void {
  res.write(`event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
}
