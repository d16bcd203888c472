import { toErrorObject } from '../errors/error-object.js'
import { HubError } from '../errors/hub-error.js'

interface Refusal {
  readonly status: number
  readonly phrase: string
  readonly reason: string
}

/** What a parser of HTTP refuses a request for, by the codes of Node. */
const REFUSALS: ReadonlyMap<string | undefined, Refusal> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { status: 431, phrase: 'Request Header Fields Too Large', reason: 'the headers are too large' },
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    { status: 413, phrase: 'Payload Too Large', reason: 'the chunk extensions are too large' },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: 408, phrase: 'Request Timeout', reason: 'the request did not come whole in time' },
  ],
])
const NO_HTTP: Refusal = { status: 400, phrase: 'Bad Request', reason: 'this is no request of HTTP/1.1' }

const JSON_TYPE = 'application/json; charset=utf-8'

/** The side of a connection that is written to, as Node's sockets have it. */
export interface RefusedConnection {
  readonly writable: boolean
  end(text: string): unknown
  destroy(): unknown
}

/** A response that has not begun, as Node's have it. */
export interface UnbegunResponse {
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown
  end(text: string): unknown
}

/**
 * Answers a request that the parser of HTTP could not read with a JSON-RPC error, like every other failure (S0.5), and ends its
 * connection: for `clientError` of a Node server, which alone would send a bare status.
 */
export function refuseUnreadable(error: Error, connection: RefusedConnection): void {
  // What is being answered on this connection already would be garbled by a second response.
  const begun: unknown = Reflect.get(connection, '_httpMessage')
  const isAnswering = typeof begun === 'object' && begun !== null && Reflect.get(begun, 'headersSent') === true
  if (!connection.writable || isAnswering) {
    connection.destroy()
    return
  }
  const code = 'code' in error ? String(error.code) : undefined
  const { status, phrase, reason } = REFUSALS.get(code) ?? NO_HTTP
  const body = bodyOf(status, reason)
  const head = [`HTTP/1.1 ${status} ${phrase}`, `Content-Type: ${JSON_TYPE}`, `Content-Length: ${body.length}`]
  connection.end([...head, 'Cache-Control: no-store', 'Connection: close', '', body].join('\r\n'))
}

/** Answers a request whose `Expect` asks for what no server of ours does: for `checkExpectation` of a Node server. */
export function refuseExpectation(_request: unknown, response: UnbegunResponse): void {
  const body = bodyOf(417, 'the Expect header asks for what is not done here; only 100-continue is')
  response.writeHead(417, { 'Content-Type': JSON_TYPE, 'Content-Length': body.length, Connection: 'close' })
  response.end(body)
}

/** Holds ASCII alone. */
function bodyOf(status: number, reason: string): string {
  const { code, message, data } = toErrorObject(new HubError('INVALID_REQUEST', reason), '/')
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, data: { ...data, status } } })
}
