import type { Writable } from 'node:stream'
import { type Era, encodeMcpError, type McpError, type RequestId } from '@synchub/protocol'
import type { McpReply } from './reply.js'

/** Answers a request over stdio: every message is one line on the stream that all requests share. */
export class LineReply implements McpReply {
  readonly #output: Writable
  readonly #era: Era
  #onCaughtUp: (() => void) | undefined

  constructor(output: Writable, era: Era) {
    this.#output = output
    this.#era = era
  }

  get isBehind(): boolean {
    return this.#output.writableNeedDrain
  }

  onCaughtUp(action: () => void): void {
    this.#onCaughtUp = action
    this.#output.on('drain', action)
  }

  expectProgress(): void {
    // A pipe needs nothing to stay awake.
  }

  notify(method: string, params: object): void {
    writeMessage(this.#output, { jsonrpc: '2.0', method, params })
  }

  succeed(id: RequestId, result: object): void {
    this.#release()
    writeMessage(this.#output, { jsonrpc: '2.0', id, result })
  }

  fail(id: RequestId, error: McpError, instance: string): void {
    this.#release()
    writeMessage(this.#output, { jsonrpc: '2.0', id, error: encodeMcpError(error, this.#era, instance) })
  }

  endSilently(): void {
    this.#release()
  }

  /** The agent gives work up only when it stops, and then the stream ends. */
  cut(): void {
    this.#release()
  }

  #release(): void {
    if (this.#onCaughtUp !== undefined) this.#output.off('drain', this.#onCaughtUp)
  }
}

/** Writes one message as one line: JSON.stringify writes no line break. */
export function writeMessage(output: Writable, message: object): void {
  if (output.writable) output.write(`${JSON.stringify(message)}\n`)
}
