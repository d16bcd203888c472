import type { StopSignal } from '@synchub/core'
import { Pool } from 'undici'
import { type BegunResponse, Exchange } from './exchange.js'

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
  readonly signal: StopSignal
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
  post(body: string, accept: string, signal: StopSignal): Promise<EndpointResponse> {
    const headers = { 'Content-Type': 'application/json', Accept: accept }
    return this.request({ method: 'POST', headers, body, signal })
  }

  /** @throws ExchangeError when no response begins */
  async request({ method, path, headers, body, signal }: EndpointRequest): Promise<EndpointResponse> {
    const exchange = new Exchange(signal)
    this.#pool.dispatch(
      { method, path: path ?? this.#path, headers: { ...headers, ...this.#authorization }, body: body ?? null },
      exchange,
    )
    return toResponse(await exchange.response)
  }

  /** Ends every open exchange and closes all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

function toResponse({ status, headers, body }: BegunResponse): EndpointResponse {
  const header = (name: string) => firstOf(headers[name])
  return {
    status,
    mediaType: header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '',
    header,
    chunks: body.read(),
    discard: () => body.discard(),
  }
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
