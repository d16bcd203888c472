import type { Readable, Writable } from 'node:stream'
import {
  checkModernRevision,
  claimsModern,
  type Era,
  encodeMcpError,
  type McpRequest,
  type RequestId,
  RevisionError,
  readLines,
  readModernMeta,
  toMcpError,
} from '@synchub/protocol'
import { parseSingleFrame } from '../server/frame.js'
import { Exchange, type McpParts } from './exchange.js'
import { LineReply, writeMessage } from './line-reply.js'

/** The two streams of a client that started this process. */
export interface LineStreams {
  readonly input: Readable
  readonly output: Writable
}

/** MCP over stdio: any number of requests at the same time, each in the era that it speaks. */
export class McpLineServer {
  readonly #parts: McpParts
  readonly #output: Writable
  readonly #open = new Map<RequestId, Exchange>()

  constructor(parts: McpParts, output: Writable) {
    this.#parts = parts
    this.#output = output
  }

  /** Takes requests until the input ends, or is closed from this side. */
  async serve(input: Readable, maxLineBytes: number): Promise<void> {
    for await (const item of readLines(input, maxLineBytes)) {
      if (item.kind === 'line') this.#take(item.text)
      else this.#refuse(null, item.error, 'legacy')
    }
  }

  /** Resolves once every request that was taken is answered. */
  async answered(): Promise<void> {
    await Promise.all([...this.#open.values()].map((exchange) => exchange.over))
  }

  #take(text: string): void {
    try {
      const frame = parseSingleFrame(text)
      if (frame.kind === 'invalid') this.#refuse(frame.id, frame.error, 'legacy')
      else if (frame.kind === 'request') this.#start(frame)
      else if (frame.method === 'notifications/cancelled') this.#cancel(frame.params)
    } catch (thrown) {
      this.#refuse(null, thrown, 'legacy')
    }
  }

  #start({ id, method, params }: Omit<McpRequest, 'era'>): void {
    const era = claimsModern(params) ? 'modern' : 'legacy'
    try {
      if (era === 'modern') checkModernRevision(readModernMeta(params))
      // Which of the two would a cancel mean, and which a response?
      if (this.#open.has(id)) throw new RevisionError('BAD_REQUEST', 'Invalid Request: a request with this id is open')
    } catch (thrown) {
      this.#refuse(id, thrown, era)
      return
    }
    const exchange = new Exchange(this.#parts, { era, id, method, params }, new LineReply(this.#output, era))
    this.#open.set(id, exchange)
    void exchange.over.then(() => this.#open.delete(id))
    void exchange.run()
  }

  #cancel({ requestId, reason }: Readonly<Record<string, unknown>>): void {
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return
    const text = typeof reason === 'string' && reason !== '' ? reason : 'the caller cancelled the call'
    this.#open.get(requestId)?.cancel(text)
  }

  #refuse(id: RequestId | null, thrown: unknown, era: Era): void {
    const error = encodeMcpError(toMcpError(thrown), era, '/mcp')
    writeMessage(this.#output, { jsonrpc: '2.0', ...(id === null ? {} : { id }), error })
  }
}
