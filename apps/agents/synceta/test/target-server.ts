import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const servers: Server[] = []

/** A request that reached a target. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** A target on loopback that notes what reaches it. */
export interface TargetServer {
  readonly url: string
  readonly port: number
  readonly requests: readonly SeenRequest[]
  /** Connections that are open now. */
  connectionCount(): Promise<number>
}

/** Answers a request whose body has been read. */
export type Answer = (request: SeenRequest, response: ServerResponse) => void

/** Starts a target on a free port. */
export async function serveTarget(answer: Answer): Promise<TargetServer> {
  const requests: SeenRequest[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const { method = '', url: path = '', headers } = message
      const request = { method, path, headers, body: Buffer.concat(chunks) }
      requests.push(request)
      answer(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  const { port } = server.address() as AddressInfo
  const connectionCount = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
    })
  return { url: `http://127.0.0.1:${port}`, port, requests, connectionCount }
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

/** Closes the servers that {@link serveTarget} started; for `afterEach`. */
export async function closeTargets(): Promise<void> {
  for (const server of servers.splice(0)) {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
