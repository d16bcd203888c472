import { type LinkedAbort, linkAbort } from '../abort/linked-abort.js'
import { notOurHub, unreachable } from './failure.js'

/** What a {@link HubAnswer} is read under. */
export interface AnswerLimits {
  readonly baseUrl: string
  /** The longest wait for the next bytes, in ms; then the connection counts as lost. */
  readonly silenceTimeoutMs: number
  /** The largest JSON body that is taken, in bytes. */
  readonly maxAnswerBytes: number
}

/** An HTTP answer whose body is read only as it is asked for, and whose connection is closed by whoever stops reading. */
export class HubAnswer {
  readonly status: number
  readonly headers: Headers
  readonly #body: ReadableStream<Uint8Array> | null
  readonly #abort: LinkedAbort
  readonly #limits: AnswerLimits

  constructor(response: Response, abort: LinkedAbort, limits: AnswerLimits) {
    this.status = response.status
    this.headers = response.headers
    this.#body = response.body
    this.#abort = abort
    this.#limits = limits
  }

  /** Whether the body is of this media type; its parameters are left out. */
  is(mediaType: string): boolean {
    const [given = ''] = (this.headers.get('content-type') ?? '').split(';')
    return given.trim().toLowerCase() === mediaType
  }

  /** Closes the connection without reading on. */
  close(): void {
    this.#abort.abort()
  }

  /**
   * The body as it arrives; nothing is read ahead of the consumer. Leaving the loop closes the connection.
   * @throws HubError HUB_UNAVAILABLE when the connection is lost or silent for too long
   */
  async *chunks(): AsyncGenerator<Uint8Array> {
    if (this.#body === null) return this.#abort.release()
    const reader = this.#body.getReader()
    let ended = false
    try {
      for (;;) {
        const { done, value } = await this.#read(reader)
        if (done) break
        yield value
      }
      ended = true
    } finally {
      // A body that was read to its end leaves a connection that can serve the next request.
      if (ended) this.#abort.release()
      else this.close()
    }
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>) {
    const { baseUrl, silenceTimeoutMs } = this.#limits
    const { signal } = this.#abort
    let silent = false
    const timer = setTimeout(() => {
      silent = true
      this.close()
    }, silenceTimeoutMs)
    try {
      return await reader.read()
    } catch (cause) {
      if (silent) throw unreachable(baseUrl, `was silent for ${silenceTimeoutMs} ms`, cause)
      signal.throwIfAborted()
      throw unreachable(baseUrl, 'cut the connection', cause)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * The whole body as text.
   * @throws HubError CONTRACT_BROKEN when it is not UTF-8 or larger than the bound, HUB_UNAVAILABLE when it is cut
   */
  async text(): Promise<string> {
    const { baseUrl, maxAnswerBytes } = this.#limits
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    let bytes = 0
    for await (const chunk of this.chunks()) {
      bytes += chunk.byteLength
      if (bytes > maxAnswerBytes) throw notOurHub(baseUrl, `sent an answer larger than ${maxAnswerBytes} bytes`)
      text += decode(decoder, chunk, baseUrl)
    }
    return text + decode(decoder, undefined, baseUrl)
  }
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, baseUrl: string): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    throw notOurHub(baseUrl, 'sent an answer that is not UTF-8', cause)
  }
}

/** Sends one request; resolves once the headers of the answer are there. */
export async function openAnswer(
  fetchAnswer: typeof fetch,
  url: string,
  init: RequestInit,
  limits: AnswerLimits,
): Promise<HubAnswer> {
  const { baseUrl, silenceTimeoutMs } = limits
  const outer = init.signal ?? undefined
  const abort = linkAbort(outer)
  const timer = setTimeout(() => abort.abort(), silenceTimeoutMs)
  try {
    const response = await fetchAnswer(url, { ...init, signal: abort.signal })
    return new HubAnswer(response, abort, limits)
  } catch (cause) {
    const silent = abort.signal.aborted
    abort.release()
    outer?.throwIfAborted()
    throw unreachable(baseUrl, silent ? `gave no answer for ${silenceTimeoutMs} ms` : 'cannot be reached', cause)
  } finally {
    clearTimeout(timer)
  }
}
