import type { ServerResponse } from 'node:http'
import type { TraceRef } from '@synchub/core'
import { encodeSseEvent, isTerminalEvent } from '@synchub/protocol'
import type { EntryBatch, LogEntry, Watch } from '@synchub/redis'
import type { HubContext } from '../hub-context.js'
import { StreamFrame } from './stream-frame.js'

/** The stream that a `POST /rpc` becomes. */
export interface CallStreamRequest {
  readonly trace: TraceRef
  readonly callId: string
  /** Last event of the trace before the call was recorded; null to look from the start. */
  readonly after: string | null
  readonly headers: Readonly<Record<string, string>>
}

// S0.6: only progress and one ending. What went wrong after the stream began is `failed` with the error object.
const SHOWN = new Map<string, string>([
  ['progress', 'progress'],
  ['complete', 'complete'],
  ['failed', 'failed'],
  ['refused', 'failed'],
  ['unknown', 'failed'],
  ['cancelled', 'cancelled'],
])

/** Streams one call's progress and its end. A reader that goes away does not cancel the call. */
export async function streamCall(res: ServerResponse, request: CallStreamRequest, context: HubContext): Promise<void> {
  const { feeds, streams, logger } = context
  const { trace, callId, after } = request
  let watch: Watch | undefined
  const observer = { onDrain: () => watch?.resume(), onClose: () => watch?.close() }
  const stream = streams.open(res, observer, request.headers)
  const fail = (thrown: unknown) => {
    logger.warn({ err: thrown, traceId: trace.traceId, callId }, 'call stream failed; the call goes on')
    stream.close('failed')
  }
  const send = (entry: LogEntry, data: string): boolean => {
    const event = SHOWN.get(entry.event)
    const room = event === undefined || stream.write(new StreamFrame(encodeSseEvent({ id: entry.id, event, data })))
    if (isTerminalEvent(entry.event)) stream.close('ended')
    return room
  }
  const sendWhole = async (entry: LogEntry) => {
    // The caller's own answer holds a large result, where the trace's event only links to it.
    const call = await context.store.log.find(callId)
    const ending = call === null ? null : await context.store.log.findEnding(call)
    send(entry, ending === null ? entry.data : JSON.stringify(ending.data))
  }
  const deliver = (batch: EntryBatch) => {
    let room = true
    for (const entry of batch.entries) {
      if (entry.callId !== callId || stream.closed) continue
      if (entry.event === 'complete' && entry.data.includes('"resultLink":')) sendWhole(entry).catch(fail)
      else room = send(entry, entry.data) && room
    }
    return room
  }
  const opened = await feeds.watch({
    trace,
    after,
    follow: true,
    sink: { deliver, reset: () => stream.close('failed'), end: () => stream.close('ended'), fail },
  })
  watch = opened
  if (stream.closed) opened.close()
}
