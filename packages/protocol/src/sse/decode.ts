import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** What a `text/event-stream` holds, in order. Comments and `retry` matter to readers that watch for silence. */
export type SseItem =
  | { readonly kind: 'event'; readonly id?: string; readonly event: string; readonly data: string }
  | { readonly kind: 'comment' }
  | { readonly kind: 'retry'; readonly delayMs: number }

/** Why a stream could not be read on: its text is not UTF-8, or one event is larger than the reader takes. */
export class SseFormatError extends Error {
  override readonly name = 'SseFormatError'
}

/**
 * Reads a `text/event-stream` from chunks of bytes cut at any place: inside a UTF-8 sequence, between CR and LF.
 * @param chunks - the body as it arrives
 * @param maxEventBytes - the largest single event that is taken, in bytes; bounds what this reader holds in memory
 * @throws SseFormatError when the bytes are not UTF-8 or one event passes the bound
 */
export async function* readSse(chunks: AsyncIterable<Uint8Array>, maxEventBytes: number): AsyncGenerator<SseItem> {
  const items: SseItem[] = []
  const parser = createParser({
    onEvent: (message) => items.push(toItem(message)),
    onComment: () => items.push({ kind: 'comment' }),
    onRetry: (delayMs) => items.push({ kind: 'retry', delayMs }),
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let pendingBytes = 0
  for await (const chunk of chunks) {
    parser.feed(decode(decoder, chunk))
    // Bytes since the last finished item bound the parser's own buffer.
    pendingBytes = items.length > 0 ? Math.min(chunk.byteLength, maxEventBytes) : pendingBytes + chunk.byteLength
    if (pendingBytes > maxEventBytes) throw new SseFormatError(`one event is larger than ${maxEventBytes} bytes`)
    for (const item of items.splice(0)) {
      if (item.kind === 'event' && item.data.length > maxEventBytes) {
        throw new SseFormatError(`one event is larger than ${maxEventBytes} bytes`)
      }
      yield item
    }
  }
}

function toItem({ id, event, data }: EventSourceMessage): SseItem {
  return { kind: 'event', ...(id === undefined ? {} : { id }), event: event ?? 'message', data }
}

function decode(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch (cause) {
    throw new SseFormatError('the stream is not UTF-8', { cause })
  }
}
