import type { ServerResponse } from 'node:http'
import type { Clock, StreamConfig } from '@synchub/core'
import { encodeSseRetry } from '@synchub/protocol'
import { EventStream, type StreamObserver, type StreamPlace } from './event-stream.js'
import { StreamFrame } from './stream-frame.js'

/** Headers of every event stream: no proxy may hold it back, store it or change it. */
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

/** What is due at a stream is done at most so long after it is due, or a fifth of the shortest time that was configured. */
const LONGEST_TICK_MS = 1000
const SHORTEST_TICK_MS = 5
/** How much time readers have to come back in when their hub stops: for each of them, and at most. A hub takes some 2,000 a second. */
const SPREAD_MS_OF_STREAM = 1
const LONGEST_SPREAD_MS = 15_000

/** The event streams that are open in this process: opens them, does for each what is due, and ends them when the hub stops. */
export class StreamRegistry implements StreamPlace {
  readonly config: StreamConfig
  readonly clock: Clock
  readonly #streams = new Set<EventStream>()
  readonly #tickMs: number
  readonly #retry: StreamFrame
  #stopTicking: (() => void) | null = null

  constructor(config: StreamConfig, clock: Clock) {
    this.config = config
    this.clock = clock
    const shortestMs = Math.min(config.heartbeatMs, config.maxAgeMs, config.stallTimeoutMs)
    this.#tickMs = Math.min(LONGEST_TICK_MS, Math.max(SHORTEST_TICK_MS, shortestMs / 5))
    this.#retry = new StreamFrame(encodeSseRetry(config.retryMs))
  }

  /** Sends headers at once, so that the reader knows that it is connected before the first event. */
  open(res: ServerResponse, observer: StreamObserver, headers: Readonly<Record<string, string>> = {}): EventStream {
    res.socket?.setNoDelay(true)
    // S0.6 has the header; a client that closes its connection after each answer is told that it may.
    const Connection = res.shouldKeepAlive ? 'keep-alive' : 'close'
    res.writeHead(200, { ...STREAM_HEADERS, Connection, ...headers })
    // Through node:http, which sends the head with it.
    res.write(this.#retry.body)
    const stream = new EventStream(res, this, observer)
    // A reader that has gone already closes no more: its stream would stay for ever.
    if (!stream.closed) this.#streams.add(stream)
    this.#stopTicking ??= this.#planTick()
    return stream
  }

  leave(stream: EventStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    this.#stopTicking?.()
    this.#stopTicking = null
  }

  get size(): number {
    return this.#streams.size
  }

  /**
   * Ends every stream, and tells each reader another pause before it comes back with its cursor: all at once they would fall upon the
   * hubs that are left.
   */
  closeAll(): void {
    const { retryMs } = this.config
    const spreadMs = Math.min(LONGEST_SPREAD_MS, Math.max(retryMs, this.#streams.size * SPREAD_MS_OF_STREAM))
    for (const stream of this.#streams) {
      stream.write(new StreamFrame(encodeSseRetry(Math.round(retryMs + spreadMs * Math.random()))))
      stream.close('stopping')
    }
  }

  #planTick(): (() => void) | null {
    if (this.#streams.size === 0) return null
    return this.clock.schedule(this.#tickMs, () => {
      const nowMs = this.clock.now()
      for (const stream of this.#streams) stream.tick(nowMs)
      this.#stopTicking = this.#planTick()
    })
  }
}
