import type { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { ExchangeError } from './exchange-error.js'

/** How long the rest of a body that nobody wants may take before its connection is closed. */
const DISCARD_TIMEOUT_MS = 100
/** The largest such rest. */
const MAX_DISCARDED_BYTES = 16 * 1024

/** Where and how an agent is reached. */
export interface EndpointOptions {
  /** The agent's URL, http or https; its path is kept. */
  readonly url: string
  /** Sent as `Authorization: Bearer <secret>`. */
  readonly secret?: string
  /** Longest wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number
}

/** One request to the agent. */
export interface EndpointRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path and query; those of the agent's URL by default. */
  readonly path?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** The beginning of a response; its body is read on by whoever asked. */
export interface EndpointResponse {
  readonly status: number
  /** The media type alone, in lower case; empty where there is none. */
  readonly mediaType: string
  header(name: string): string | undefined
  /** Throws ExchangeError where the body ends before its end. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Leaves the rest of the body unread: the connection is kept where the rest is next to nothing, else closed. */
  discard(): void
}

/**
 * Asks one agent over kept connections. Nothing is retried, no redirect is followed, nothing is decompressed, and no time limit
 * applies but that of connecting: the caller's signal bounds everything else.
 */
export class HttpEndpoint {
  /** Scheme, host and port of the agent: its secret goes nowhere else. */
  readonly origin: string
  readonly #pool: Pool
  readonly #path: string
  readonly #authorization: Readonly<Record<string, string>>

  /** @throws Error when the URL is none of HTTP */
  constructor({ url, secret, connectTimeoutMs }: EndpointOptions) {
    const { origin, pathname, search, protocol } = new URL(url)
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new Error(`the agent's URL ${url} must begin with http: or https:`)
    this.origin = origin
    this.#path = pathname + search
    this.#authorization = secret === undefined ? {} : { Authorization: `Bearer ${secret}` }
    this.#pool = new Pool(origin, { connectTimeout: connectTimeoutMs, headersTimeout: 0, bodyTimeout: 0 })
  }

  /** Posts JSON. @throws ExchangeError when no response begins */
  post(body: string, accept: string, signal: AbortSignal): Promise<EndpointResponse> {
    const headers = { 'Content-Type': 'application/json', Accept: accept }
    return this.request({ method: 'POST', headers, body, signal })
  }

  /** @throws ExchangeError when no response begins */
  async request({ method, path, headers, body, signal }: EndpointRequest): Promise<EndpointResponse> {
    let isSent = false
    const noteSending = interceptSending(() => {
      isSent = true
    })
    try {
      const response = await this.#pool.compose(noteSending).request({
        method,
        path: path ?? this.#path,
        headers: { ...headers, ...this.#authorization },
        ...(body === undefined ? {} : { body }),
        signal,
      })
      return toResponse(response, signal)
    } catch (cause) {
      throw ExchangeError.from(cause, isSent, signal)
    }
  }

  /** Ends every open exchange and closes all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData, signal: AbortSignal): EndpointResponse {
  // Errors are told to whoever reads. Cutting a body that nobody reads raises one too, and would end the process.
  body.on('error', () => undefined)
  const header = (name: string) => firstOf(headers[name])
  return {
    status: statusCode,
    mediaType: header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '',
    header,
    chunks: readChunks(body.iterator({ destroyOnReturn: false }), signal),
    discard: () => discard(body),
  }
}

/** Tells when a request goes out: before that the agent has surely done nothing, after it nobody knows. */
function interceptSending(onSending: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        onSending()
        handler.onRequestStart?.(controller, context)
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    })
}

async function* readChunks(stream: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    throw ExchangeError.from(cause, true, signal)
  }
}

function discard(stream: Readable): void {
  if (stream.readableEnded || stream.destroyed) return
  let bytes = 0
  const cut = setTimeout(() => stream.destroy(), DISCARD_TIMEOUT_MS)
  stream.on('close', () => clearTimeout(cut))
  stream.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > MAX_DISCARDED_BYTES) stream.destroy()
  })
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
