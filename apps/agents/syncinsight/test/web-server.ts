import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const servers: Server[] = []

/** A server on loopback that counts what reaches it. */
export interface WebServer {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** Requests so far. */
  readonly requests: readonly IncomingMessage[]
  /** Connections so far, with or without a request. */
  readonly connectionCount: () => number
}

/** Starts a server on a free port. */
export async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<WebServer> {
  const requests: IncomingMessage[] = []
  let connections = 0
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, host)
  await once(server, 'listening')
  servers.push(server)
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, requests, connectionCount: () => connections }
}

/** Answers every request with one page. */
export function page(body: string | Buffer, contentType = 'text/html; charset=utf-8'): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(body)
  }
}

/** Answers every request with a redirect. */
export function redirect(location: string, status = 302): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { location }).end()
  }
}

/** Closes the servers that {@link serve} started; for `afterEach`. */
export async function closeServers(): Promise<void> {
  for (const server of servers.splice(0)) {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
