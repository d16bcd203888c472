import { isUtf8 } from 'node:buffer'
import type { FetchLike } from '@modelcontextprotocol/client'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { readBytes } from '../answer/json-text.js'
import type { EndpointRequest, HttpEndpoint } from '../http/http-endpoint.js'
import { answerBeingRead } from '../mcp/pending-request.js'
import { readEventBody } from './event-body.js'

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE'])
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * The `fetch` that the client library uses for one agent: over our own connections, to its origin alone, and with bounds. What
 * becomes of the request that is sent is noted in it.
 * @param maxBytes - of a body, and of one event of a stream
 * @param taken - settles when all progress that has come is taken
 */
export function createAgentFetch(endpoint: HttpEndpoint, maxBytes: number, taken: () => Promise<void>): FetchLike {
  return async (url, init = {}) => {
    const { origin, pathname, search } = new URL(url)
    if (origin !== endpoint.origin) throw new Error(`the MCP client asked ${origin}, which is not the agent's`)
    const { method, headers, body, signal } = init
    const request = answerBeingRead.getStore()
    const response = await endpoint.request({
      method: toMethod(method),
      path: pathname + search,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' ? { body } : {}),
      signal: signal ?? new AbortController().signal,
    })
    const encoding = response.header('content-encoding') ?? 'identity'
    if (encoding !== 'identity') {
      response.discard()
      throw new BrokenAnswerError(`its answer is encoded as ${encoding}, which nobody asked for`)
    }
    const known = { status: response.status, headers: headersOf(response.header) }
    if (response.mediaType === 'text/event-stream' && response.status === 200) {
      return new Response(toStream(readEventBody(response, { request, maxEventBytes: maxBytes, taken })), known)
    }
    if (request !== undefined) request.isReadWhole = true
    const bytes = await readBytes(response.chunks, maxBytes).finally(() => response.discard())
    if (!isUtf8(bytes)) throw new BrokenAnswerError('the answer is not UTF-8')
    return new Response(BODILESS.has(response.status) ? null : bytes, known)
  }
}

/** Nothing is made before the client reads it. */
function toStream(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Headers of a response that the client looks at. */
const SEEN_HEADERS = ['content-type', 'mcp-session-id', 'www-authenticate', 'location']

function headersOf(header: (name: string) => string | undefined): Headers {
  const seen = new Headers()
  for (const name of SEEN_HEADERS) {
    const value = header(name)
    if (value !== undefined) seen.set(name, value)
  }
  return seen
}

function toMethod(method = 'GET'): EndpointRequest['method'] {
  if (!METHODS.has(method)) throw new Error(`the MCP client sends ${method}, which it has no reason to`)
  return method as EndpointRequest['method']
}
