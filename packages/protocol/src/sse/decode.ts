import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser'

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
 * Reads a `text/event-stream` from chunks of bytes cut at any place: inside a UTF-8 sequence, between CR and LF. An
 * event that the stream ends in the middle of is none (WHATWG HTML, section 9.2.6); what stands before one that is too large is
 * still given.
 * @param chunks - the body as it arrives
 * @param maxEventBytes - bounds what this reader holds in memory beside one chunk: an event that is no longer on the wire is
 *   taken, one whose data is larger is not
 * @throws SseFormatError when the bytes are not UTF-8 or one event passes the bound
 */
export async function* readSse(chunks: AsyncIterable<Uint8Array>, maxEventBytes: number): AsyncGenerator<SseItem> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = createItemReader(maxEventBytes)
  let followsReturn = false
  for await (const chunk of chunks) {
    const text = decode(decoder, chunk)
    if (text === '') continue
    yield* reader.read(endLinesInLf(text, followsReturn))
    followsReturn = text.endsWith('\r')
  }
}

/**
 * Lets every line end in LF alone. The parser holds a CR at the end of a chunk back until it has seen the next line, and so
 * would keep a finished event from its reader, or lose the last one of a stream.
 */
function endLinesInLf(text: string, followsReturn: boolean): string {
  const rest = followsReturn && text.startsWith('\n') ? text.slice(1) : text
  return rest.includes('\r') ? rest.replaceAll(/\r\n?/g, '\n') : rest
}

function createItemReader(maxEventBytes: number) {
  const items: SseItem[] = []
  let isTooLarge = false
  const parser = createParser({
    // UTF-8 has at least as many bytes as a string has characters, so this never refuses an event within the bound.
    maxBufferSize: maxEventBytes,
    onEvent: (message) => {
      isTooLarge ||= isLargerThan(message.data, maxEventBytes)
      if (!isTooLarge) items.push(toItem(message))
    },
    onComment: () => items.push({ kind: 'comment' }),
    onRetry: (delayMs) => {
      if (Number.isSafeInteger(delayMs)) items.push({ kind: 'retry', delayMs })
    },
    onError: ({ type }: ParseError) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded'
    },
  })
  return {
    *read(text: string): Generator<SseItem> {
      parser.feed(text)
      yield* items.splice(0)
      if (isTooLarge) throw new SseFormatError(`one event is larger than ${maxEventBytes} bytes`)
    },
  }
}

function isLargerThan(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true
  // A character has at most three bytes of UTF-8, so most texts need not be encoded to be measured.
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).byteLength > maxBytes
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
