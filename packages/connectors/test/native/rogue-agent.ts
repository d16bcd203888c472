import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AgentConnection, AgentOutcome } from '@synchub/core'
import { createNativeConnection, type NativeConnectionOptions } from '../../src/index.js'
import { atEnd } from '../cleanup.js'
import { call, type SeenCall } from '../seen-call.js'

/** What an agent of the test does with a connection once a whole request has come. */
export type Behaviour = (socket: Socket, request: string) => unknown

/** An agent that answers bytes as the test says. */
export interface RogueAgent {
  readonly url: string
  readonly requests: string[]
  /** Connections that requests came by: all of them, and those that are open. */
  connections(): { readonly used: number; readonly open: number }
}

/** Listens for connections until {@link closeAll}. */
export async function serveRogue(behave: Behaviour): Promise<RogueAgent> {
  const open = new Set<Socket>()
  const requests: string[] = []
  const used = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // A peer that cuts the connection is what many of these tests are about.
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (!isWhole(text)) return
      requests.push(text)
      used.add(socket)
      void behave(socket, text)
      text = ''
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => ({ used: used.size, open: [...used].filter((socket) => open.has(socket)).length }),
  }
}

function isWhole(request: string): boolean {
  const [head = '', body] = request.split('\r\n\r\n')
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return body !== undefined && Buffer.byteLength(body) >= length
}

/** Writes each chunk as a packet of its own, then ends the connection. */
export function sending(...chunks: readonly (string | Uint8Array)[]): Behaviour {
  return async (socket) => {
    for (const chunk of chunks) {
      socket.write(chunk)
      await nextTurn()
      await nextTurn()
    }
    socket.end()
  }
}

/** A whole response whose end is told by the end of the connection. */
export function response(status: string, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}Connection: close\r\n\r\n${body}`
}

/** The head of a stream of events. */
export const STREAM_HEAD = response('200 OK', { 'Content-Type': 'text/event-stream' }, '')

/** A response with a JSON body. */
export function json(body: unknown, status = '200 OK'): string {
  return response(
    status,
    { 'Content-Type': 'application/json' },
    typeof body === 'string' ? body : JSON.stringify(body),
  )
}

/** A connection under test. */
export function connect(url: string, options: Partial<NativeConnectionOptions> = {}): AgentConnection {
  const connection = createNativeConnection({ url, connectTimeoutMs: 2_000, ...options })
  atEnd(() => connection.close())
  return connection
}

/** Calls an agent that behaves so. */
export async function callRogue(behave: Behaviour, options: Partial<NativeConnectionOptions> = {}): Promise<SeenCall> {
  const { url } = await serveRogue(behave)
  return call(connect(url, options))
}

/** Asks for the tools of an agent that sends these bytes. */
export async function outcomeOf(...chunks: readonly (string | Uint8Array)[]): Promise<AgentOutcome> {
  return (await callRogue(sending(...chunks))).outcome
}
