const SEQ = /"seq":(\d+)/g

/**
 * The numbers of the events in a whole HTTP/1.1 answer, whose chunks are taken apart as RFC 9112 section 7.1 has it.
 *
 * @param {string} answer as latin1
 * @returns {number[]}
 */
export function readEventSeqs(answer) {
  const headEnd = answer.indexOf('\r\n\r\n')
  const isChunked = /transfer-encoding: chunked/i.test(answer.slice(0, headEnd))
  const body = answer.slice(headEnd + 4)
  return [...(isChunked ? unchunk(body) : body).matchAll(SEQ)].map((match) => Number(match[1]))
}

/** @param {string} body */
function unchunk(body) {
  const parts = []
  for (let from = 0; from < body.length; ) {
    const lineEnd = body.indexOf('\r\n', from)
    const size = Number.parseInt(body.slice(from, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (!Number.isInteger(size) || body.slice(end, end + 2) !== '\r\n')
      throw new Error('the chunks of an answer are broken')
    parts.push(body.slice(lineEnd + 2, end))
    from = end + 2
  }
  return parts.join('')
}
