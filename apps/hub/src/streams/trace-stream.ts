import type { ServerResponse } from 'node:http'
import type { TraceRef } from '@synchub/core'
import { encodeSseEvent, type ResetReason, type TraceView } from '@synchub/protocol'
import type { EntryBatch, Watch, WatchSink } from '@synchub/redis'
import type { HubContext } from '../hub-context.js'
import type { EventFilter } from './event-filter.js'
import type { EventStream, StreamEnd, StreamObserver } from './event-stream.js'
import { frameBatch } from './frame-batch.js'
import { StreamFrame } from './stream-frame.js'

/** What one reader of a trace's stream asked for. */
export interface TraceStreamRequest {
  readonly trace: TraceRef
  /** Id of the last event that the reader has; null from the start. */
  readonly after: string | null
  readonly filter: EventFilter
  /** Whether the stream outlives the end of the trace. */
  readonly follow: boolean
}

/** Streams a trace to one reader, until either side ends it. */
export async function streamTrace(
  res: ServerResponse,
  request: TraceStreamRequest,
  context: HubContext,
): Promise<void> {
  const { trace, after, filter, follow } = request
  const sink = new TraceStream(res, trace, filter, context)
  try {
    sink.begin(await context.feeds.watch({ trace, after, follow, sink }))
  } catch (thrown) {
    // The headers are out: the reader sees the stream end, and comes back with its cursor.
    sink.fail(thrown)
  }
}

/** One reader of a trace. One object with few fields, since there may be very many and most of them idle. */
class TraceStream implements WatchSink, StreamObserver {
  readonly #trace: TraceRef
  readonly #filter: EventFilter
  readonly #context: HubContext
  readonly #stream: EventStream
  #watch: Watch | null = null

  constructor(res: ServerResponse, trace: TraceRef, filter: EventFilter, context: HubContext) {
    this.#trace = trace
    this.#filter = filter
    this.#context = context
    this.#stream = context.streams.open(res, this)
  }

  begin(watch: Watch): void {
    this.#watch = watch
    if (this.#stream.closed) watch.close()
  }

  deliver(batch: EntryBatch): boolean {
    const frame = frameBatch(batch, this.#filter)
    return frame === null || this.#stream.write(frame)
  }

  reset(reason: ResetReason, snapshot: TraceView | null): void {
    const id = snapshot?.cursor
    const data = JSON.stringify({ reason, snapshot })
    this.#send(encodeSseEvent({ ...(id === undefined ? {} : { id }), event: 'reset', data }))
  }

  end(): void {
    this.#send(encodeSseEvent({ event: 'end', data: JSON.stringify({ traceId: this.#trace.traceId }) }))
    this.#stream.close('ended')
  }

  fail(thrown: unknown): void {
    const { traceId } = this.#trace
    this.#context.logger.warn({ err: thrown, traceId }, 'event stream failed; the reader may resume')
    this.#stream.close('failed')
  }

  onDrain(): void {
    this.#watch?.resume()
  }

  onClose(end: StreamEnd | 'disconnected'): void {
    this.#watch?.close()
    if (end !== 'stalled') return
    const { traceId } = this.#trace
    this.#context.logger.warn({ traceId }, 'event stream cut: the reader took nothing')
  }

  #send(text: string): void {
    this.#stream.write(new StreamFrame(text))
  }
}
