import type { TraceRef } from '@synchub/core'
import { isTerminalEvent, type JsonObject } from '@synchub/protocol'
import type { Ending, EntryBatch, LogEntry } from '@synchub/redis'
import { awaitEnding } from '../calls/awaited-answer.js'
import type { SubmittedCall } from '../calls/call-desk.js'
import type { HubContext } from '../hub-context.js'
import type { McpNotices } from './mcp-method.js'
import type { ProgressWish } from './progress-wish.js'

/** Whose progress is followed. */
interface FollowedCall extends ProgressWish {
  readonly trace: TraceRef
  readonly callId: string
  /** Last event of the trace before the call was recorded; null to look from the start. */
  readonly after: string | null
}

/** Progress on its way to a client. */
interface CallProgress {
  /** Settles once all progress of the ended call is told; soon in any case. */
  settled(): Promise<void>
  stop(): void
}

/** The end of a call may be known before its last progress has come over pub/sub; longer than this nobody waits for it. */
const SETTLE_MS = 1000

/** How long, and under which name, progress is waited for. */
export interface ProgressPatience extends ProgressWish {
  /** How long the caller waits by its own wish; undefined for as long as a stream lasts. */
  readonly timeoutMs: number | undefined
  readonly gone: AbortSignal
  /** Last event of the trace before the call went on; null to look from the start. */
  readonly after: string | null
}

/**
 * Waits as {@link awaitEnding} does, and tells progress meanwhile.
 * @throws HubError DEADLINE_EXCEEDED
 */
export async function awaitWithProgress(
  submitted: SubmittedCall,
  { timeoutMs, gone, after, progressToken }: ProgressPatience,
  notices: McpNotices,
  context: HubContext,
): Promise<Ending> {
  const { callId, trace, mode, replayed } = submitted
  if (mode === 'queued') notices.begin()
  const followed = { trace, callId, after: replayed ? null : after, progressToken }
  const progress = await followProgress(followed, notices, context)
  try {
    const waitMs = timeoutMs ?? context.config.streams.maxAgeMs
    const ending = await awaitEnding(submitted, { waitMs, gone }, context)
    await progress.settled()
    return ending
  } finally {
    progress.stop()
  }
}

/**
 * Tells a call's progress out of its trace as `notifications/progress`. MCP has it rise strictly, so what another attempt counts
 * anew is left out until it is ahead (invariant 4).
 */
async function followProgress(
  { trace, callId, after, progressToken }: FollowedCall,
  notices: McpNotices,
  { feeds, clock, logger }: HubContext,
): Promise<CallProgress> {
  let last = Number.NEGATIVE_INFINITY
  let over = () => {}
  const ended = new Promise<void>((resolve) => {
    over = resolve
  })
  const tell = (entry: LogEntry): boolean => {
    const { progress, total, message } = JSON.parse(entry.data) as JsonObject
    if (typeof progress !== 'number' || progress <= last) return true
    last = progress
    return notices.send('notifications/progress', { progressToken, progress, total, message })
  }
  const deliver = ({ entries }: EntryBatch): boolean => {
    let room = true
    for (const entry of entries) {
      if (entry.callId !== callId) continue
      if (entry.event === 'progress') room = tell(entry) && room
      else if (isTerminalEvent(entry.event) || entry.event === 'input_requested') over()
    }
    return room
  }
  const fail = (thrown: unknown) => {
    logger.warn({ err: thrown, traceId: trace.traceId, callId }, 'progress is not told any more; the call goes on')
    over()
  }
  const watch = await feeds.watch({ trace, after, follow: true, sink: { deliver, reset: over, end: over, fail } })
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
