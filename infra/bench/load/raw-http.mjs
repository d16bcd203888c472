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
 * The answers that come over a connection, heads and all. Understands what the measured servers send: a length, or chunks.
 *
 * @param {import('node:net').Socket} socket
 * @returns {AsyncGenerator<string, undefined>}
 */
export async function* readAnswers(socket) {
  let held = ''
  for await (const chunk of socket) {
    held += chunk.toString('latin1')
    for (let end = endOfAnswer(held); end > 0; end = endOfAnswer(held)) {
      const answer = held.slice(0, end)
      held = held.slice(end)
      yield answer
    }
  }
  return undefined
}

/**
 * Where the first answer in `text` ends; 0 while it is not whole.
 *
 * @param {string} text
 */
function endOfAnswer(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return 0
  const length = /content-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1]
  if (length !== undefined) {
    const end = headEnd + 4 + Number(length)
    return text.length >= end ? end : 0
  }
  const last = text.indexOf('\r\n0\r\n\r\n', headEnd)
  return last < 0 ? 0 : last + 7
}
