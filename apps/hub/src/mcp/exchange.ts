import type { ServerResponse } from 'node:http'
import type { Principal } from '@synchub/auth'
import { type StopSignal, StopSwitch } from '@synchub/core'
import {
  type Era,
  HubError,
  type JsonObject,
  type McpHeaders,
  type McpRequest,
  type RequestId,
  readClientCapabilities,
} from '@synchub/protocol'
import type { HttpReply } from './http-reply.js'
import type { McpCall, McpNotices } from './mcp-method.js'

/** What a request came with beside its body. */
export interface ExchangeParts {
  readonly principal: Principal
  readonly headers: McpHeaders
  readonly res: ServerResponse
  readonly reply: HttpReply
  readonly session: McpCall['session']
}

/** One request from its arrival to its answer. */
export class McpExchange implements McpCall {
  readonly era: Era
  readonly id: RequestId
  readonly principal: Principal
  readonly headers: McpHeaders
  readonly session: McpCall['session']
  readonly clientCapabilities: JsonObject
  readonly notices: McpNotices
  readonly #res: ServerResponse
  readonly #gone = new StopSwitch()
  readonly #cancelled = new StopSwitch()
  #isOver = false

  constructor({ era, id, params }: McpRequest, { principal, headers, res, reply, session }: ExchangeParts) {
    this.era = era
    this.id = id
    this.principal = principal
    this.headers = headers
    this.session = session
    this.clientCapabilities = era === 'modern' ? readClientCapabilities(params) : (session?.capabilities ?? {})
    this.notices = reply
    this.#res = res
    // A client that left before anybody listened says so no more.
    if (res.destroyed) this.#onClose()
    else res.once('close', () => this.#onClose())
  }

  get idempotencyKey(): string | undefined {
    return textOf(this.headers['idempotency-key'])
  }

  get traceparent(): string | undefined {
    return textOf(this.headers.traceparent)
  }

  get gone(): StopSignal {
    return this.#gone
  }

  get cancelled(): StopSignal {
    return this.#cancelled
  }

  get isCancelled(): boolean {
    return this.#cancelled.aborted
  }

  setHeader(name: string, value: string): void {
    if (!this.#res.headersSent) this.#res.setHeader(name, value)
  }

  /** Nobody wants the answer, and what was begun is to end. */
  cancel(reason: string): void {
    if (!this.isCancelled) this.#cancelled.abort(new HubError('CANCELLED', reason))
  }

  /** The answer is on its way: from here on the end of the connection means nothing. */
  close(): void {
    this.#isOver = true
  }

  #onClose(): void {
    if (this.#isOver) return
    this.#gone.abort()
    if (this.era === 'modern') this.cancel('the client closed the response before its end')
  }
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(',')
}
