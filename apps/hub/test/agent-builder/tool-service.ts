import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@synchub/protocol'
import { atEnd } from '../cleanup.js'

/** A request as it reached the service. */
export interface ServedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers one request of a tool. */
export type ToolAnswer = (res: ServerResponse, request: ServedRequest) => unknown

/** A tool service over real HTTP that does what the test says, right or wrong. */
export interface ToolService {
  readonly url: string
  /** Requests of tools, without those of the manifest. */
  readonly calls: readonly ServedRequest[]
  /** How often the manifest was asked for. */
  manifestReads(): number
  /** What the manifest lists from now on; an answer of its own where a function is given. */
  offer(tools: readonly JsonObject[] | ToolAnswer): void
  /** What tools do from now on. */
  behave(answer: ToolAnswer): void
  /** Takes no connections any more; open ones are cut. */
  goDown(): Promise<void>
}

/** A tool of a manifest with one required argument, at its endpoint `tools/<name>`. */
export function manifestTool(name: string, more: JsonObject = {}): JsonObject {
  const inputSchema = { type: 'object', required: ['query'], properties: { query: { type: 'string' } } }
  return { name, description: `What ${name} does`, inputSchema, endpoint: `tools/${name}`, ...more }
}

/** Answers with this media type and body. */
export const sending =
  (type: string, body: string | Buffer, status = 200): ToolAnswer =>
  (res) =>
    res.writeHead(status, type === '' ? {} : { 'Content-Type': type }).end(body)

/** Serves these tools under `/api/`. */
export async function serveToolService(
  tools: readonly JsonObject[],
  answer: ToolAnswer = sending('text/plain', 'ok'),
): Promise<ToolService> {
  const state: { offers: readonly JsonObject[] | ToolAnswer; answer: ToolAnswer } = { offers: tools, answer }
  const calls: ServedRequest[] = []
  let manifestReads = 0
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const request = {
      method: req.method ?? '',
      path: req.url ?? '',
      headers: req.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    if (request.path !== '/api/manifest.json') {
      calls.push(request)
      await state.answer(res, request)
      return
    }
    manifestReads++
    const { offers } = state
    if (typeof offers === 'function') await offers(res, request)
    else sending('application/json', JSON.stringify({ tools: offers }))(res, request)
  }
  const server = createServer((req, res) => void respond(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const goDown = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  atEnd(goDown)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api/`,
    calls,
    manifestReads: () => manifestReads,
    offer(offers) {
      state.offers = offers
    },
    behave(next) {
      state.answer = next
    },
    goDown,
  }
}

/** Tools with what is shown of one and what is not, a name with a dot, and one whose schema cannot be used. */
export const SAMPLE_TOOLS = [
  manifestTool('search', {
    title: 'Search',
    annotations: { readOnlyHint: true },
    outputSchema: { type: 'object', required: ['hits'] },
    version: '3.1.4',
    _meta: { endpoint: 'internal', version: '9' },
  }),
  manifestTool('leave.balance'),
  manifestTool('broken', { inputSchema: { type: 'no type' } }),
]
