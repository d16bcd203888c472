import { type Clock, type StopSignal, StopSwitch } from '@synchub/core'
import { type CallResult, HubError } from '@synchub/protocol'
import type { Ending } from '@synchub/redis'
import type { HubContext } from '../hub-context.js'
import { toCallResult } from './call-answer.js'
import type { SubmittedCall } from './call-desk.js'
import { linksOfCall } from './call-view.js'

/** How long a caller waits. */
export interface Patience {
  readonly waitMs: number
  /** Instant (ms) by which the caller wants its answer; `waitMs` from now where absent. */
  readonly answerByMs?: number | undefined
  /** Aborts when nobody waits any more. */
  readonly gone: StopSignal
  /** The trace as the caller's own tracing names it. */
  readonly w3cTraceId: string | undefined
}

/**
 * Waits for the answer of a call.
 * @throws HubError of a call that did not complete; DEADLINE_EXCEEDED when no answer came in time
 */
export async function awaitAnswer(
  submitted: SubmittedCall,
  patience: Patience,
  context: HubContext,
): Promise<CallResult> {
  const { callId, trace, replayed } = submitted
  const { w3cTraceId } = patience
  const ending = await awaitEnding(submitted, patience, context)
  return toCallResult(ending, { callId, traceId: trace.traceId, replayed, w3cTraceId })
}

/**
 * Waits for the end of a call, or until its agent asks the caller something.
 * @throws HubError DEADLINE_EXCEEDED when neither came in time
 */
export async function awaitEnding(
  submitted: SubmittedCall,
  { waitMs, answerByMs, gone }: Omit<Patience, 'w3cTraceId'>,
  context: HubContext,
): Promise<Ending> {
  const { callId, trace, replayed } = submitted
  const { traceId } = trace
  const { clock } = context
  // What admission took of the time, waiting for another request with the same key say, is gone.
  const leftMs = answerByMs === undefined ? waitMs : Math.max(0, answerByMs - clock.now())
  const ending = await waitAtMost(submitted, leftMs, gone, clock)
  if (ending !== null) return ending
  // A timeout is not a failure (S4.3): the call goes on, and here is where to find it.
  const why = context.isServing() ? `no answer came within ${waitMs} ms` : 'this hub is stopping'
  const place = { callId, traceId, links: linksOfCall(callId, traceId), ...(replayed ? { replayed } : {}) }
  throw new HubError('DEADLINE_EXCEEDED', `the call goes on; ${why}`, place)
}

/** Not AbortSignal.timeout within AbortSignal.any: the timer is collected with what only the joined signal knew of. */
async function waitAtMost(
  { wait }: SubmittedCall,
  waitMs: number,
  gone: StopSignal,
  clock: Clock,
): Promise<Ending | null> {
  const patience = new StopSwitch()
  const stop = () => patience.abort()
  const callOff = clock.schedule(waitMs, stop)
  gone.addEventListener('abort', stop, { once: true })
  if (gone.aborted) stop()
  try {
    return await wait(patience)
  } finally {
    callOff()
    gone.removeEventListener('abort', stop)
  }
}
