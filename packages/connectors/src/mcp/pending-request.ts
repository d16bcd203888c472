import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestId } from '@modelcontextprotocol/client'
import type { KeptRequest } from './kept-request.js'

/** How long a stream may stay open after the answer that it was opened for, in milliseconds. */
const STREAM_LINGER_MS = 100

/**
 * The request whose answer is being read: set for everything that happens while a request is sent over a connection of its own and
 * its answer read. The client library hands messages and errors on without saying whose they are.
 */
export const answerBeingRead = new AsyncLocalStorage<PendingRequest>()

/** A request of the client that has no answer yet. */
export class PendingRequest {
  readonly id: RequestId
  /** What waits for its result; undefined for requests that the client makes by itself. */
  readonly kept: KeptRequest | undefined
  /** Its whole answer has been read: one that was not among it will not come. */
  isReadWhole = false
  readonly #cut = new AbortController()
  readonly #onFailure: (error: Error) => void
  #isAnswered = false

  constructor(id: RequestId, kept: KeptRequest | undefined, onFailure: (error: Error) => void) {
    this.id = id
    this.kept = kept
    this.#onFailure = onFailure
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  /** Aborts when nothing more is read of its answer. */
  get cutSignal(): AbortSignal {
    return this.#cut.signal
  }

  /** Closes the connection that it uses alone. */
  cut(): void {
    this.#cut.abort()
  }

  /** The answer is here; whoever keeps the stream open behind it is cut. */
  answered(): void {
    this.#isAnswered = true
    setTimeout(() => this.cut(), STREAM_LINGER_MS).unref()
  }

  /** No answer will come, for this reason. What has an answer keeps it. */
  fail(error: Error): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.cut()
    this.#onFailure(error)
  }
}
