const LINE_END = '\r\n'

/**
 * Bytes for event streams, framed once for however many readers: a chunk of HTTP/1.1 (RFC 9112 section 7.1), and within it the
 * bytes alone for a reader that knows no chunks.
 */
export class StreamFrame {
  readonly chunk: Buffer
  /** What of `chunk` the reader is meant to see. */
  readonly body: Buffer

  /** @param text - not empty: an empty chunk would end the stream */
  constructor(text: string) {
    const length = Buffer.byteLength(text)
    const head = length.toString(16) + LINE_END
    this.chunk = Buffer.from(head + text + LINE_END)
    this.body = this.chunk.subarray(head.length, head.length + length)
  }
}
