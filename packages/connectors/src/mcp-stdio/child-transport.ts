import { isUtf8 } from 'node:buffer'
import { setTimeout as pause } from 'node:timers/promises'
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { ExchangeError } from '../http/exchange-error.js'
import type { EndingTransport } from '../mcp/observed-transport.js'
import type { ChildProcess } from './child-process.js'
import { readLines } from './line-reader.js'

/** Lines that are no messages and are let pass until the server has said who it is: programs greet. */
const MAX_GREETING_LINES = 50
/** How long the rest of the output is waited for once the process has ended. */
const LAST_OUTPUT_TIMEOUT_MS = 1_000
const MAX_SHOWN_LENGTH = 80
/** Answers to what the server asks that may wait until it reads them, in bytes; what it is asked itself is bounded by its calls. */
const MAX_UNREAD_ANSWER_BYTES = 64 * 1024

/** How the transport reads. */
export interface ChildTransportOptions {
  /** Starts the process. */
  readonly start: () => Promise<ChildProcess>
  /** Largest message, in bytes. */
  readonly maxMessageBytes: number
  /** The next message is read when this has settled, so that a fast server is slowed, never buffered. */
  readonly taken: () => Promise<void>
  readonly notice: (reason: string) => void
}

/** MCP over the standard input and output of a child process: one JSON-RPC message on each line. */
export class ChildTransport implements EndingTransport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  readonly #options: ChildTransportOptions
  #starting: Promise<ChildProcess> | undefined
  #child: ChildProcess | undefined
  #served: Promise<void> | undefined
  #failure: Error | undefined
  #hasGreeted = false
  #greetingLines = 0
  #unreadAnswerBytes = 0

  constructor(options: ChildTransportOptions) {
    this.#options = options
  }

  /** Why the process ended. */
  get failure(): Error | undefined {
    return this.#failure
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** From now on the server writes messages and nothing else. */
  setProtocolVersion(): void {
    this.#hasGreeted = true
  }

  async start(): Promise<void> {
    this.#starting = this.#options.start()
    this.#child = await this.#starting
    this.#served = this.#serve(this.#child)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#child === undefined || this.#failure !== undefined) {
      throw new ExchangeError('unreachable', "the agent's process does not run")
    }
    const line = `${JSON.stringify(message)}\n`
    await ('method' in message ? this.#child.write(line) : this.#answer(line, this.#child))
  }

  async close(): Promise<void> {
    // One that is only just being started is ended too.
    const child = await this.#starting?.catch(() => undefined)
    await child?.end()
    await this.#served
  }

  async #answer(line: string, child: ChildProcess): Promise<void> {
    this.#unreadAnswerBytes += line.length
    if (this.#unreadAnswerBytes > MAX_UNREAD_ANSWER_BYTES) {
      this.#failure = new BrokenAnswerError('the agent does not read the answers to what it asks')
      await child.kill()
    }
    await child.write(line)
    this.#unreadAnswerBytes -= line.length
  }

  async #serve(child: ChildProcess): Promise<void> {
    const read = this.#read(child)
    const reason = await child.ended
    await Promise.race([read, pause(LAST_OUTPUT_TIMEOUT_MS, undefined, { ref: false })])
    child.output.destroy()
    this.#failure ??= new ExchangeError('lost', reason)
    this.onclose?.()
  }

  async #read(child: ChildProcess): Promise<void> {
    try {
      for await (const line of readLines(child.output, this.#options.maxMessageBytes)) {
        const message = this.#parse(line, child)
        if (message === undefined) continue
        this.onmessage?.(message)
        await this.#options.taken()
        if (this.#failure !== undefined) return
      }
    } catch (thrown) {
      // A server that does not keep to messages is out of step for good: it is ended, and started anew when it is wanted.
      this.#failure ??= thrown instanceof Error ? thrown : new Error(String(thrown))
      await child.kill()
    }
  }

  /** Undefined for a line that is let pass. @throws BrokenAnswerError */
  #parse(line: Buffer, child: ChildProcess): JSONRPCMessage | undefined {
    const text = line.toString('utf8')
    if (text.trim() === '') return undefined
    try {
      if (!isUtf8(line)) throw new BrokenAnswerError('it is not UTF-8')
      return parseJSONRPCMessage(JSON.parse(text))
    } catch (cause) {
      const shown = JSON.stringify(child.hide(text).slice(0, MAX_SHOWN_LENGTH))
      const reason = `the agent wrote what is no JSON-RPC to its standard output: ${shown}`
      if (this.#hasGreeted || ++this.#greetingLines > MAX_GREETING_LINES) throw new BrokenAnswerError(reason, { cause })
      if (this.#greetingLines === 1) this.#options.notice(reason)
      return undefined
    }
  }
}
