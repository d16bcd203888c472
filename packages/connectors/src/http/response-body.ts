import type { StopSignal } from '@synchub/core'
import { ExchangeError } from './exchange-error.js'

/** How the connection is slowed while nobody reads, and ended. */
export interface BodySource {
  pause(): void
  resume(): void
  abort(reason: Error): void
}

/** Bytes that may wait for a reader before the connection is slowed. */
const MAX_WAITING_BYTES = 64 * 1024
/** How long the rest of a body that nobody wants may take before its connection is closed. */
const DISCARD_TIMEOUT_MS = 100
/** The largest such rest. */
const MAX_DISCARDED_BYTES = 16 * 1024

/** The body of a response as it arrives, for one reader. No stream of Node's: making one costs more than a short call takes. */
export class ResponseBody {
  readonly #source: BodySource
  readonly #signal: StopSignal
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #isPaused = false
  #end: { readonly error?: unknown } | undefined
  #wake = () => {}
  #discardedBytes: number | undefined
  #stopDiscarding = () => {}

  constructor(source: BodySource, signal: StopSignal) {
    this.#source = source
    this.#signal = signal
  }

  /** Takes what has arrived. */
  push(chunk: Uint8Array): void {
    if (this.#discardedBytes !== undefined) {
      this.#discardedBytes += chunk.byteLength
      if (this.#discardedBytes > MAX_DISCARDED_BYTES) this.#cut()
      return
    }
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.byteLength
    if (this.#waitingBytes >= MAX_WAITING_BYTES && !this.#isPaused) {
      this.#isPaused = true
      this.#source.pause()
    }
    this.#wake()
  }

  /** Nothing more comes; with an error the body ended before its end. */
  close(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error }
    this.#stopDiscarding()
    this.#wake()
  }

  /** The chunks in order. @throws ExchangeError where the body ends before its end */
  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#waiting.shift()
      if (chunk !== undefined) {
        this.#waitingBytes -= chunk.byteLength
        yield chunk
        continue
      }
      if (this.#end !== undefined) {
        if ('error' in this.#end) throw ExchangeError.from(this.#end.error, true, this.#signal)
        return
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        // What the connection holds back comes at once, so it must find somebody to wake.
        this.#resume()
      })
    }
  }

  /** Leaves the rest unread: the connection is kept where the rest is next to nothing, else closed. */
  discard(): void {
    if (this.#end !== undefined || this.#discardedBytes !== undefined) return
    this.#discardedBytes = 0
    this.#waiting = []
    const timer = setTimeout(() => this.#cut(), DISCARD_TIMEOUT_MS)
    this.#stopDiscarding = () => clearTimeout(timer)
    this.#resume()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#source.resume()
  }

  #cut(): void {
    this.#source.abort(new Error('nobody reads the rest of the answer'))
  }
}
