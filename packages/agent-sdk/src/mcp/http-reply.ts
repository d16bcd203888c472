import type { ServerResponse } from 'node:http'
import {
  type Era,
  encodeMcpError,
  encodeSseComment,
  encodeSseEvent,
  type McpError,
  mcpStatusOf,
  type RequestId,
} from '@synchub/protocol'
import type { AcceptedForms } from '../server/media-type.js'
import { cutWhenStalled, replyDocument, STREAM_HEADERS } from '../server/reply.js'
import type { McpReply } from './reply.js'

/** What {@link HttpReply} needs. */
export interface HttpReplyParts {
  readonly response: ServerResponse
  readonly era: Era
  readonly accepted: AcceptedForms
  /** Time between the comments that show that a stream lives, in milliseconds. */
  readonly heartbeatIntervalMs: number
}

/**
 * Answers a request over Streamable HTTP: one JSON document, or, where there is progress to tell and the client reads streams, a
 * stream of messages that ends with the response.
 */
export class HttpReply implements McpReply {
  readonly #parts: HttpReplyParts
  #heartbeat: NodeJS.Timeout | undefined

  constructor(parts: HttpReplyParts) {
    this.#parts = parts
  }

  get isBehind(): boolean {
    return this.#parts.response.writableNeedDrain
  }

  onCaughtUp(action: () => void): void {
    this.#parts.response.on('drain', action)
  }

  expectProgress(): void {
    const { response, accepted, heartbeatIntervalMs } = this.#parts
    if (!accepted.stream || response.destroyed || response.headersSent) return
    this.#open()
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatIntervalMs)
    response.on('close', () => clearInterval(this.#heartbeat))
  }

  notify(method: string, params: object): void {
    if (!this.#parts.accepted.stream) return
    this.#open()
    this.#write({ jsonrpc: '2.0', method, params })
  }

  succeed(id: RequestId, result: object): void {
    this.#respond(200, { jsonrpc: '2.0', id, result })
  }

  fail(id: RequestId, error: McpError, instance: string): void {
    const { era } = this.#parts
    this.#respond(mcpStatusOf(error, era), { jsonrpc: '2.0', id, error: encodeMcpError(error, era, instance) })
  }

  endSilently(): void {
    clearInterval(this.#heartbeat)
    const { response, accepted } = this.#parts
    if (response.destroyed || response.writableEnded) return
    // An empty stream is the one form of an HTTP response without a message in it.
    if (accepted.stream) this.#open()
    else if (!response.headersSent) response.writeHead(204)
    response.end()
  }

  cut(): void {
    this.#parts.response.destroy()
  }

  #respond(status: number, message: object): void {
    clearInterval(this.#heartbeat)
    const { response, accepted } = this.#parts
    if (response.destroyed || response.writableEnded) return
    if (!response.headersSent && (accepted.json || status !== 200)) {
      replyDocument(response, status, message)
      return
    }
    this.#open()
    this.#write(message)
    cutWhenStalled(response)
    response.end()
  }

  #open(): void {
    const { response } = this.#parts
    if (response.headersSent || response.destroyed) return
    response.writeHead(200, STREAM_HEADERS)
    response.flushHeaders()
  }

  #beat(): void {
    // A reader that is behind has enough to read.
    if (!this.isBehind) this.#parts.response.write(encodeSseComment('alive'))
  }

  #write(message: object): void {
    const { response } = this.#parts
    if (!response.destroyed) response.write(encodeSseEvent({ event: 'message', data: JSON.stringify(message) }))
  }
}
