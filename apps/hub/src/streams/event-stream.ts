import type { ServerResponse } from 'node:http'
import type { Clock, StreamConfig } from '@synchub/core'
import { encodeSseComment, encodeSseRetry } from '@synchub/protocol'

/** Why a stream was closed from our side. */
export type StreamEnd = 'ended' | 'too-old' | 'stalled' | 'stopping' | 'failed'

/** What the owner of a stream is told. */
export interface StreamObserver {
  /** The socket takes bytes again. */
  onDrain(): void
  /** The stream is over, from whichever side; called once. */
  onClose(end: StreamEnd | 'disconnected'): void
}

/** Headers of every event stream: no proxy may hold it back, store it or change it. */
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

const MAX_SPREAD = 0.2
/** How long a stream that has ended may take to reach its reader. */
const END_TIMEOUT_MS = 10_000

/**
 * One `text/event-stream` response: heartbeats, a maximum age, and a bound on what may wait in the socket. A reader that takes
 * nothing for `stallTimeoutMs` is cut; it can resume with its cursor.
 */
export class EventStream {
  readonly #res: ServerResponse
  readonly #config: StreamConfig
  readonly #observer: StreamObserver
  readonly #clock: Clock
  readonly #stopTimers: (() => void)[] = []
  #stopStall: (() => void) | null = null
  #end: StreamEnd | null = null
  #lastWriteAtMs: number

  constructor(res: ServerResponse, config: StreamConfig, clock: Clock, observer: StreamObserver) {
    this.#res = res
    this.#config = config
    this.#clock = clock
    this.#observer = observer
    this.#lastWriteAtMs = clock.now()
    res.on('drain', () => this.#onDrain())
    res.once('close', () => this.#onClose())
    this.#beat()
    // Spread, so that readers that came together do not come back together.
    const ageMs = config.maxAgeMs * (1 - MAX_SPREAD + 2 * MAX_SPREAD * Math.random())
    this.#stopTimers.push(clock.schedule(ageMs, () => this.close('too-old')))
  }

  /** Sends headers at once, so that the reader knows that it is connected before the first event. */
  static open(
    res: ServerResponse,
    config: StreamConfig,
    clock: Clock,
    observer: StreamObserver,
    headers: Readonly<Record<string, string>> = {},
  ): EventStream {
    res.socket?.setNoDelay(true)
    res.writeHead(200, { ...STREAM_HEADERS, ...headers })
    res.write(encodeSseRetry(config.retryMs))
    return new EventStream(res, config, clock, observer)
  }

  get closed(): boolean {
    return this.#end !== null || this.#res.destroyed || this.#res.writableEnded
  }

  /** Writes; false when the socket holds so much that the reader must leave the live path until it drains. */
  write(bytes: string | Uint8Array): boolean {
    if (this.closed) return false
    this.#lastWriteAtMs = this.#clock.now()
    // Node says when it has drained only what it has called full itself, so a bound below its own counts as that one.
    if (this.#res.write(bytes) || this.#res.writableLength <= this.#config.maxBufferedBytes) return true
    this.#stopStall ??= this.#watchForStall(this.#res.writableLength)
    return false
  }

  /** Ends the stream from our side. */
  close(end: StreamEnd): void {
    if (this.closed) return
    this.#end = end
    if (end === 'stalled') {
      this.#res.destroy()
      return
    }
    this.#res.end()
    // A reader that takes nothing would hold an orderly end back for ever.
    this.#stopTimers.push(this.#clock.schedule(END_TIMEOUT_MS, () => this.#res.destroy()))
  }

  /** Cuts a reader once it has taken nothing at all for the whole time; a slow one has taken something. */
  #watchForStall(heldBytes: number): () => void {
    return this.#clock.schedule(this.#config.stallTimeoutMs, () => {
      const { writableLength } = this.#res
      if (writableLength < heldBytes) this.#stopStall = this.#watchForStall(writableLength)
      else this.close('stalled')
    })
  }

  #beat(): void {
    const { heartbeatMs } = this.#config
    let stop = () => {}
    const beat = () => {
      const quietMs = this.#clock.now() - this.#lastWriteAtMs
      const due = quietMs >= heartbeatMs
      if (due) this.write(encodeSseComment('heartbeat'))
      stop = this.#clock.schedule(due ? heartbeatMs : heartbeatMs - quietMs, beat)
    }
    stop = this.#clock.schedule(heartbeatMs, beat)
    this.#stopTimers.push(() => stop())
  }

  #onDrain(): void {
    this.#stopStall?.()
    this.#stopStall = null
    if (!this.closed) this.#observer.onDrain()
  }

  #onClose(): void {
    this.#stopStall?.()
    for (const stop of this.#stopTimers) stop()
    this.#observer.onClose(this.#end ?? 'disconnected')
  }
}
