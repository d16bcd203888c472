import type { StopSignal, TraceRef } from '@synchub/core'
import { isTerminalEvent, type JsonObject } from '@synchub/protocol'
import type { Ending, EntryBatch, LogEntry } from '@synchub/redis'
import { awaitEnding } from '../../calls/awaited-answer.js'
import type { SubmittedCall } from '../../calls/call-desk.js'
import type { HubContext } from '../../hub-context.js'
import type { McpNotices } from '../mcp-method.js'
import { levelOfEvent } from './log-level.js'
import type { NoticeWish } from './notice-wish.js'

/** How long, and with which notices, an answer is waited for. */
export interface NoticedWait extends NoticeWish {
  /** How long the caller waits by its own wish; undefined for as long as a stream lasts. */
  readonly timeoutMs: number | undefined
  /** The instant (ms) at which that is over. */
  readonly answerByMs: number
  readonly gone: StopSignal
  /** Last event of the trace before the call went on; null to look from the start. */
  readonly after: string | null
}

/** The end of a call may be known before its last events have come over pub/sub; longer than this nobody waits for them. */
const SETTLE_MS = 1000

/**
 * Waits as {@link awaitEnding} does, and tells meanwhile what the client wants to know.
 * @throws HubError DEADLINE_EXCEEDED
 */
export async function awaitWithNotices(
  submitted: SubmittedCall,
  wait: NoticedWait,
  notices: McpNotices,
  context: HubContext,
): Promise<Ending> {
  if (submitted.mode === 'queued') notices.begin()
  const followed = await followCall(submitted, wait, notices, context)
  try {
    const { timeoutMs, answerByMs, gone } = wait
    const patience =
      timeoutMs === undefined ? { waitMs: context.config.streams.maxAgeMs } : { waitMs: timeoutMs, answerByMs }
    const ending = await awaitEnding(submitted, { ...patience, gone }, context)
    await followed.settled()
    return ending
  } finally {
    followed.stop()
  }
}

/** Notices on their way to a client. */
interface FollowedCall {
  /** Settles once all is told of the call that has ended, or is asked; soon in any case. */
  settled(): Promise<void>
  stop(): void
}

/**
 * Tells of a call out of its trace. MCP has progress rise strictly, so what another attempt counts anew is left out until it is
 * ahead (invariant 4).
 */
async function followCall(
  { trace, callId, replayed }: { readonly trace: TraceRef; readonly callId: string; readonly replayed: boolean },
  { progressToken, logLevel, after }: NoticedWait,
  notices: McpNotices,
  { feeds, clock, logger }: HubContext,
): Promise<FollowedCall> {
  let last = Number.NEGATIVE_INFINITY
  let over = () => {}
  const ended = new Promise<void>((resolve) => {
    over = resolve
  })
  const tellProgress = (entry: LogEntry): boolean => {
    const { progress, total, message } = JSON.parse(entry.data) as JsonObject
    if (progressToken === undefined || typeof progress !== 'number' || progress <= last) return true
    last = progress
    return notices.send('notifications/progress', { progressToken, progress, total, message })
  }
  const tellLog = ({ event, data }: LogEntry): boolean => {
    const level = logLevel === undefined ? undefined : levelOfEvent(event, logLevel)
    if (level === undefined) return true
    return notices.send('notifications/message', { level, logger: 'synchub', data: { event, ...briefly(data) } })
  }
  const deliver = ({ entries }: EntryBatch): boolean => {
    let room = true
    for (const entry of entries) {
      if (entry.callId !== callId) continue
      room = tellLog(entry) && room
      if (entry.event === 'progress') room = tellProgress(entry) && room
      else if (isTerminalEvent(entry.event) || entry.event === 'input_requested') over()
    }
    return room
  }
  const fail = (thrown: unknown) => {
    logger.warn({ err: thrown, traceId: trace.traceId, callId }, 'nothing more is told of a call; it goes on')
    over()
  }
  const sink = { deliver, reset: over, end: over, fail }
  const watch = await feeds.watch({ trace, after: replayed ? null : after, follow: true, sink })
  notices.onDrain(() => watch.resume())
  return {
    async settled() {
      const callOff = clock.schedule(SETTLE_MS, over)
      await ended
      callOff()
    },
    stop: () => watch.close(),
  }
}

/** What an event says beside the result, which is the answer's to tell. */
function briefly(data: string): JsonObject {
  const { result: _result, content: _content, inputRequests: _asked, ...rest } = JSON.parse(data) as JsonObject
  return rest
}
