import type { ServerResponse } from 'node:http'
import type { Clock, StreamConfig } from '@synchub/core'
import { encodeSseComment, encodeSseEvent, type JsonObject } from '@synchub/protocol'
import type { Acceptance } from '../http/accept.js'
import { sendJson } from '../http/respond.js'
import type { EncodedAnswer } from './era-encoder.js'
import type { McpNotices } from './mcp-method.js'

/** Headers of a stream of messages: no proxy may hold it back, store it or change it. */
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

/** What a reply works with. */
export interface HttpReplyOptions {
  readonly acceptance: Acceptance
  readonly config: StreamConfig
  readonly clock: Clock
}

/**
 * The one HTTP response of a request: a JSON document, or, once something is told before the answer, a stream of messages that
 * ends with it. Streams of MCP have no ids here, so nobody resumes them; what is missed is asked for by callId.
 */
export class HttpReply implements McpNotices {
  readonly #res: ServerResponse
  readonly #options: HttpReplyOptions
  #isStream = false
  #stopBeat = () => {}
  #stopStall: (() => void) | undefined

  constructor(res: ServerResponse, options: HttpReplyOptions) {
    this.#res = res
    this.#options = options
  }

  /** A client that takes anything may still know no streams: it must name them. */
  get areRead(): boolean {
    return this.#options.acceptance.namesStream
  }

  get isOver(): boolean {
    return this.#res.destroyed || this.#res.writableEnded
  }

  begin(): void {
    if (this.#isStream || this.isOver || !this.areRead) return
    this.#isStream = true
    this.#res.socket?.setNoDelay(true)
    this.#res.writeHead(200, STREAM_HEADERS)
    this.#res.flushHeaders()
    this.#res.on('drain', () => this.#endStall())
    this.#res.once('close', () => this.#stopTimers())
    this.#beat()
  }

  send(method: string, params: JsonObject): boolean {
    this.begin()
    if (!this.#isStream || this.isOver) return true
    return this.#write({ jsonrpc: '2.0', method, params })
  }

  ask(id: string, method: string, params: object): void {
    this.begin()
    if (this.#isStream && !this.isOver) this.#write({ jsonrpc: '2.0', id, method, params })
  }

  /** Aborts when the reader has gone. */
  closed(): AbortSignal {
    const controller = new AbortController()
    this.#res.once('close', () => controller.abort())
    if (this.#res.destroyed) controller.abort()
    return controller.signal
  }

  /** Ends a stream that has no answer. */
  end(): void {
    if (!this.isOver) this.#res.end()
  }

  onDrain(resume: () => void): void {
    this.#res.on('drain', resume)
  }

  /** Ends with the response. */
  finish({ status, message, headers }: EncodedAnswer): void {
    if (this.isOver) return
    // A refusal of HTTP is told as one, whatever the client would rather read.
    if (!this.#isStream && (this.#options.acceptance.json || status !== 200)) {
      sendJson(this.#res, status, message, headers)
      return
    }
    this.begin()
    this.#write(message)
    this.#res.end()
  }

  /** Ends without a response: that is what a cancelled request gets. */
  endSilently(): void {
    if (this.isOver) return
    // An empty stream is the one form of an HTTP response without a message in it.
    this.begin()
    if (!this.#isStream) this.#res.writeHead(204)
    this.#res.end()
  }

  #write(message: JsonObject): boolean {
    const { config, clock } = this.#options
    const hasRoom = this.#res.write(encodeSseEvent({ event: 'message', data: JSON.stringify(message) }))
    if (hasRoom || this.#res.writableLength <= config.maxBufferedBytes) return true
    this.#stopStall ??= clock.schedule(config.stallTimeoutMs, () => this.#res.destroy())
    return false
  }

  #beat(): void {
    const { config, clock } = this.#options
    this.#stopBeat = clock.schedule(config.heartbeatMs, () => {
      // A reader that is behind has enough to read.
      if (!this.#res.writableNeedDrain && !this.isOver) this.#res.write(encodeSseComment('alive'))
      this.#beat()
    })
  }

  #endStall(): void {
    this.#stopStall?.()
    this.#stopStall = undefined
  }

  #stopTimers(): void {
    this.#stopBeat()
    this.#endStall()
  }
}
