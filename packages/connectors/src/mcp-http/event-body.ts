import { encodeSseRetry, readSse, SseFormatError, type SseItem } from '@synchub/protocol'
import type { EndpointResponse } from '../http/http-endpoint.js'
import type { PendingRequest } from '../mcp/pending-request.js'

/**
 * Bounds of the pause that a server may ask for before its stream is opened again, in milliseconds: with none it would be asked as
 * fast as it answers, and a pause longer than any timer counts as none.
 */
const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 60_000

/** How a stream is read. */
export interface EventBodyOptions {
  /** Whose answer it is; undefined for the server's own stream. */
  readonly request: PendingRequest | undefined
  readonly maxEventBytes: number
  /** Settles when all progress that has come is taken. */
  readonly taken: () => Promise<void>
}

/**
 * Hands the events of a response on to the client, one by one. The client reads as fast as it can and takes events of any size;
 * here an event has a bound, and the next one is read when the progress before it has been taken.
 */
export async function* readEventBody(
  response: EndpointResponse,
  { request, maxEventBytes, taken }: EventBodyOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  try {
    for await (const item of readSse(response.chunks, maxEventBytes)) {
      if (item.kind === 'comment') continue
      yield encoder.encode(encodeItem(item))
      await taken()
    }
  } catch (thrown) {
    // What cannot be read is no lost connection: the client would ask for the rest again.
    if (thrown instanceof SseFormatError) request?.fail(thrown)
    throw thrown
  } finally {
    response.discard()
  }
}

function encodeItem(item: Exclude<SseItem, { kind: 'comment' }>): string {
  if (item.kind === 'retry') return encodeSseRetry(Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, item.delayMs)))
  const id = item.id === undefined ? '' : `id: ${item.id}\n`
  return `${id}event: ${item.event}\ndata: ${item.data.replaceAll('\n', '\ndata: ')}\n\n`
}
