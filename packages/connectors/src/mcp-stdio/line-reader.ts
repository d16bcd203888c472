import { BrokenAnswerError } from '../answer/broken-answer.js'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Cuts a stream into lines, without their ends. What follows the last line end is no line.
 * @throws BrokenAnswerError when a line is larger than `maxBytes`; it is not read on
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const last = chunk.subarray(start, end)
      if (bytes + last.byteLength > maxBytes) throw tooLarge(maxBytes)
      yield withoutReturn(Buffer.concat([...parts, last]))
      parts = []
      bytes = 0
      start = end + 1
    }
    const rest = chunk.subarray(start)
    bytes += rest.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    if (rest.byteLength > 0) parts.push(rest)
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
}

function tooLarge(maxBytes: number): BrokenAnswerError {
  return new BrokenAnswerError(`the agent wrote a line larger than ${maxBytes} bytes`)
}
