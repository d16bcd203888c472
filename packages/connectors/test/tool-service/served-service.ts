import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createToolServiceConnection, type ToolServiceConnectionOptions } from '../../src/index.js'
import { atEnd } from '../cleanup.js'

/** The tool that services have unless a test says otherwise. */
export const TOOL = { name: 'work', inputSchema: { type: 'object' }, endpoint: '/tools/work' }

/** The outcome of a tool that answered this text. */
export const text = (value: string) => ({
  kind: 'result',
  result: { content: [{ type: 'text', text: value }], isError: false },
})

/** A request as it reached the service. */
export interface SeenRequest {
  readonly url: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers one request. */
export type Answer = (res: ServerResponse, req: IncomingMessage) => unknown

/** A service whose manifest and tool answer as the test says. */
export async function serve(answer: Answer, manifest: Answer | object = { tools: [TOOL] }) {
  const requests: SeenRequest[] = []
  const respond = async (req: IncomingMessage, res: ServerResponse) => {
    let body = ''
    for await (const chunk of req) body += String(chunk)
    requests.push({ url: req.url ?? '', method: req.method ?? '', headers: req.headers, body })
    if (req.url !== '/api/manifest.json') return answer(res, req)
    if (typeof manifest === 'function') return (manifest as Answer)(res, req)
    return res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(manifest))
  }
  const server = createServer((req, res) => void respond(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/`
  return { url, requests, of: (path: string) => requests.filter((request) => request.url === path) }
}

/** A connection to the service, closed at the end. */
export function connect(url: string, options: Partial<ToolServiceConnectionOptions> = {}) {
  const connection = createToolServiceConnection({ url, manifest: 'manifest.json', ...options })
  atEnd(() => connection.close())
  return connection
}

/** Answers with this media type and body. */
export const sending =
  (type: string, body: string | Buffer, status = 200): Answer =>
  (res) =>
    res.writeHead(status, type === '' ? {} : { 'Content-Type': type }).end(body)
