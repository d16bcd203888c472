import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock, StreamConfig } from '@synchub/core'
import { encodeSseComment } from '@synchub/protocol'
import { StreamFrame } from './stream-frame.js'

/** Why a stream was closed from our side. */
export type StreamEnd = 'ended' | 'too-old' | 'stalled' | 'stopping' | 'failed'

/** What the owner of a stream is told. */
export interface StreamObserver {
  /** The socket takes bytes again. */
  onDrain(): void
  /** The stream is over, from whichever side; called once. */
  onClose(end: StreamEnd | 'disconnected'): void
}

/** Where a stream stands among the others of its process. */
export interface StreamPlace {
  readonly config: StreamConfig
  readonly clock: Clock
  /** The stream is over. */
  leave(stream: EventStream): void
}

const MAX_SPREAD = 0.2
/** How long a stream that has ended may take to reach its reader. */
const END_TIMEOUT_MS = 10_000
const HEARTBEAT = new StreamFrame(encodeSseComment('heartbeat'))

/**
 * One `text/event-stream` response: heartbeats, a maximum age, and a bound on what may wait in the socket. A reader that takes
 * nothing for `stallTimeoutMs` is cut; it can resume with its cursor. Holds no timer: of ten thousand streams most are idle, and
 * one look at all of them ({@link tick}) is cheaper than two timers for each.
 */
export class EventStream {
  readonly #res: ServerResponse
  /** Null where the answer still waits for an earlier one of its connection. */
  readonly #socket: Socket | null
  readonly #place: StreamPlace
  readonly #observer: StreamObserver
  readonly #maxAtMs: number
  #lastWriteAtMs: number
  #end: StreamEnd | null = null
  #endedAtMs = 0
  /** What the reader had taken when it was last seen to take something; null while it has room. */
  #held: { readonly takenBytes: number; readonly atMs: number } | null = null

  /** @param res - whose head is written, and which says in `chunkedEncoding` how its body is framed */
  constructor(res: ServerResponse, place: StreamPlace, observer: StreamObserver) {
    this.#res = res
    this.#socket = res.socket
    this.#place = place
    this.#observer = observer
    const { clock, config } = place
    this.#lastWriteAtMs = clock.now()
    // Spread, so that readers that came together do not come back together.
    this.#maxAtMs = this.#lastWriteAtMs + config.maxAgeMs * (1 - MAX_SPREAD + 2 * MAX_SPREAD * Math.random())
    res.on('close', () => this.#onClose())
  }

  get closed(): boolean {
    return this.#end !== null || this.#res.destroyed || this.#socket?.writable === false
  }

  /** Writes; false when the socket holds so much that the reader must leave the live path until it drains. */
  write(frame: StreamFrame): boolean {
    if (this.closed) return false
    const nowMs = this.#place.clock.now()
    this.#lastWriteAtMs = nowMs
    // Node says when it has drained only what it has called full itself, so a bound below its own counts as that one.
    if (this.#send(frame) || this.#res.writableLength <= this.#place.config.maxBufferedBytes) return true
    if (this.#held === null) {
      this.#hold(nowMs)
      ;(this.#socket ?? this.#res).once('drain', () => this.#onDrain())
    }
    return false
  }

  /** Ends the stream from our side. */
  close(end: StreamEnd): void {
    if (this.closed) return
    this.#end = end
    this.#endedAtMs = this.#place.clock.now()
    if (end === 'stalled') this.#res.destroy()
    else this.#res.end()
  }

  /** Does what is due at this instant. */
  tick(nowMs: number): void {
    const { heartbeatMs } = this.#place.config
    // A reader that takes nothing would hold an orderly end back for ever.
    if (this.#end !== null) {
      if (nowMs >= this.#endedAtMs + END_TIMEOUT_MS) this.#res.destroy()
    } else if (nowMs >= this.#maxAtMs) this.close('too-old')
    else if (this.#held !== null) this.#lookForStall(this.#held, nowMs)
    else if (nowMs >= this.#lastWriteAtMs + heartbeatMs) this.write(HEARTBEAT)
  }

  /** The socket gets what is framed already: node:http would frame it for each reader anew, in four writes. */
  #send({ chunk, body }: StreamFrame): boolean {
    if (this.#socket === null) return this.#res.write(body)
    return this.#socket.write(this.#res.chunkedEncoding ? chunk : body)
  }

  #hold(nowMs: number): void {
    this.#held = { takenBytes: this.#takenBytes(), atMs: nowMs }
  }

  /** Bytes of whole writes that have left for the reader, on this connection. */
  #takenBytes(): number {
    const { socket } = this.#res
    return socket === null ? 0 : socket.bytesWritten - socket.writableLength
  }

  /** Cuts a reader once it has taken nothing at all for the whole time; a slow one has taken something. */
  #lookForStall({ takenBytes, atMs }: { takenBytes: number; atMs: number }, nowMs: number): void {
    if (this.#takenBytes() > takenBytes) this.#hold(nowMs)
    else if (nowMs >= atMs + this.#place.config.stallTimeoutMs) this.close('stalled')
  }

  #onDrain(): void {
    this.#held = null
    if (!this.closed) this.#observer.onDrain()
  }

  #onClose(): void {
    this.#place.leave(this)
    this.#observer.onClose(this.#end ?? 'disconnected')
  }
}
