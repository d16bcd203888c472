import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../cleanup.js'

/** Stands before a server over HTTP and keeps all that goes through. */
export interface RecordingProxy {
  readonly url: string
  /** Bodies that came from the client, and from the server, in order. */
  readonly sent: readonly string[]
  received(): string
}

/** Listens before `target` until the end of the test. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const sent: string[] = []
  const received: Buffer[] = []
  const server = createServer((req, res) => {
    const { pathname, hostname, port } = new URL(target)
    const onward = request({ hostname, port, path: pathname, method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.on('data', (chunk: Buffer) => received.push(chunk))
      answer.pipe(res)
    })
    // Whoever goes away is what some tests are about.
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    let body = ''
    req.on('data', (chunk) => {
      body += String(chunk)
    })
    req.on('end', () => sent.push(body))
    req.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  const { pathname } = new URL(target)
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    sent,
    received: () => Buffer.concat(received).toString('utf8'),
  }
}
