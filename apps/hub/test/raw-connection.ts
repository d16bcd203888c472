import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { atEnd } from './cleanup.js'
import type { RpcBody } from './hub-requests.js'
import { until } from './until.js'

/** A response read off a socket. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A socket to the hub, for what an HTTP client would not send or not show. */
export interface RawConnection {
  readonly socket: Socket
  /** All bytes that came so far, as text. */
  text(): string
  /** Waits for the first response whose body has come whole; interim responses (1xx) are passed over. */
  answer(): Promise<RawAnswer>
  /** Whether the other side has ended or cut the connection. */
  isClosed(): boolean
}

/** Connects to the hub. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const chunks: Buffer[] = []
  let closed = false
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('close', () => {
    closed = true
  })
  socket.on('end', () => {
    closed = true
  })
  // A reset is what several of these tests look for; it shows as a connection that is closed without an answer.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  atEnd(() => socket.destroy())
  const text = () => Buffer.concat(chunks).toString('latin1')
  return {
    socket,
    text,
    isClosed: () => closed,
    async answer() {
      await until(() => parseAnswer(text()) !== undefined || closed)
      const answer = parseAnswer(text())
      if (answer === undefined) throw new Error(`the connection ended without an answer: ${JSON.stringify(text())}`)
      return answer
    },
  }
}

/** Sends lines of a head and a body over a connection of its own, and reads the answer. */
export async function askRaw(url: string, head: readonly string[], body = ''): Promise<RawAnswer> {
  const connection = await connectRaw(url)
  connection.socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`)
  const answer = await connection.answer()
  connection.socket.destroy()
  return answer
}

/** The body of an answer as JSON. */
export function bodyOf({ body }: RawAnswer): RpcBody {
  return JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as RpcBody
}

function parseAnswer(text: string): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const rest = text.slice(end + 4)
  if (status < 200) return parseAnswer(rest)
  const headers = new Map(lines.map(splitHeader))
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunk(rest) : rest
  if (body === undefined || body.length < Number(headers.get('content-length') ?? 0)) return undefined
  return { status, headers, body }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function unchunk(text: string): string | undefined {
  let body = ''
  for (let rest = text; ; ) {
    const lineEnd = rest.indexOf('\r\n')
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(rest.slice(0, lineEnd), 16)
    if (size === 0) return body
    if (rest.length < lineEnd + 2 + size) return undefined
    body += rest.slice(lineEnd + 2, lineEnd + 2 + size)
    rest = rest.slice(lineEnd + 4 + size)
  }
}
