import { connect } from 'node:net'

/** What a measured server sends to one connection at a time is small; all connections share what they are read into. */
const READ_BYTES = 64 * 1024
const buffer = Buffer.allocUnsafe(READ_BYTES)

/**
 * One connection of HTTP/1.1 that is asked one thing at a time.
 *
 * @typedef {object} RawConnection
 * @property {(request: Buffer) => Promise<string>} ask the answer, head and all; rejects when the connection is lost before it
 * @property {() => void} close
 */

/**
 * Connects to a server. Speaks to the socket itself: a client library would cost more than what is measured, and every
 * microsecond of it is taken from the cores that the measured server works on.
 *
 * @param {URL} target
 * @returns {RawConnection}
 */
export function openRawConnection({ hostname, port }) {
  /** @type {((answer: string) => void) | undefined} */
  let onAnswer
  /** @type {(thrown: Error) => void} */
  let onLoss = () => {}
  const read = splitMessages((answer) => onAnswer?.(answer))
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer,
      callback: (length) => {
        read(buffer.toString('latin1', 0, length))
        return true
      },
    },
  })
  socket.on('error', (thrown) => onLoss(thrown))
  socket.on('close', () => onLoss(new Error('the connection was closed before the answer was whole')))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        onAnswer = resolve
        onLoss = reject
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/**
 * @param {URL} target
 * @param {Record<string, string>} headers
 * @param {string} body JSON
 * @returns {Buffer} a whole request
 */
export function encodePost(target, headers, body) {
  const lines = Object.entries({
    Host: target.host,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${target.pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Takes what comes over a connection apart into messages, heads and all. Understands what the measured programs send: a length,
 * chunks, or no body.
 *
 * @param {(message: string) => void} onMessage
 * @returns {(text: string) => void} told each piece that comes, in latin1
 */
export function splitMessages(onMessage) {
  let held = ''
  return (text) => {
    held += text
    for (let end = endOfMessage(held); end > 0; end = endOfMessage(held)) {
      const message = held.slice(0, end)
      held = held.slice(end)
      onMessage(message)
    }
  }
}

/**
 * Where the first message in `text` ends; 0 while it is not whole.
 *
 * @param {string} text
 */
function endOfMessage(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return 0
  const head = text.slice(0, headEnd)
  if (/^transfer-encoding: chunked$/im.test(head)) {
    const last = text.indexOf('\r\n0\r\n\r\n', headEnd)
    return last < 0 ? 0 : last + 7
  }
  const end = headEnd + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
  return text.length >= end ? end : 0
}
