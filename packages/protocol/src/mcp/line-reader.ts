import { HubError } from '../errors/hub-error.js'

/** What comes of a stream of lines. */
export type LineItem =
  | { readonly kind: 'line'; readonly text: string }
  /** A line that is longer than the bound, or no UTF-8; what it held is gone. */
  | { readonly kind: 'broken'; readonly error: HubError }

const LF = 0x0a

/**
 * Splits bytes into lines (MCP over stdio: one message a line, UTF-8). Lines that are empty are left out.
 * @param maxLineBytes - a longer line is thrown away as it comes, so that it costs no memory
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array | string>,
  maxLineBytes: number,
): AsyncGenerator<LineItem> {
  const encoder = new TextEncoder()
  let parts: Uint8Array[] = []
  let bytes = 0
  const finish = (): LineItem | undefined => {
    const line = bytes > maxLineBytes ? tooLong(maxLineBytes) : decodeLine(parts)
    parts = []
    bytes = 0
    return line
  }
  const take = (part: Uint8Array): void => {
    bytes += part.byteLength
    if (bytes > maxLineBytes) parts = []
    else parts.push(part)
  }
  for await (const data of input) {
    let chunk = typeof data === 'string' ? encoder.encode(data) : data
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF)) {
      take(chunk.subarray(0, end))
      chunk = chunk.subarray(end + 1)
      const item = finish()
      if (item !== undefined) yield item
    }
    take(chunk)
  }
  const rest = finish()
  if (rest !== undefined) yield rest
}

function decodeLine(parts: readonly Uint8Array[]): LineItem | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  try {
    for (const part of parts) text += decoder.decode(part, { stream: true })
    text += decoder.decode()
  } catch {
    return { kind: 'broken', error: new HubError('PARSE_ERROR', 'the line is not UTF-8') }
  }
  return text.trim() === '' ? undefined : { kind: 'line', text }
}

function tooLong(maxLineBytes: number): LineItem {
  const reason = `the line is longer than ${maxLineBytes} bytes`
  return { kind: 'broken', error: new HubError('PAYLOAD_TOO_LARGE', reason, { limit: maxLineBytes }) }
}
