import { type CallState, HubError, isOpenState } from '@synchub/protocol'
import { endingOfError } from '../completion/ending.js'
import { reasonOfEnd } from '../delegation/orphan.js'
import type { CallLog } from './call-log.js'
import type { CallQueue } from './call-queue.js'
import type { CallOutline } from './call-record.js'

/** Tells every process that runs calls that one of them has ended. */
export interface CancelBroadcast {
  announce(callId: string): Promise<void>
}

/** What cancelling needs. */
export interface CancelPorts {
  readonly log: CallLog
  readonly queue: CallQueue
  readonly broadcast: CancelBroadcast
}

/** What became of the wish to cancel. */
export interface CancelOutcome {
  readonly callId: string
  readonly state: CallState
  /** True for a call that had completed, and whose tool itself failed. */
  readonly isError?: true
  /** True when this request ended the call; false when it had ended before. */
  readonly cancelled: boolean
}

/**
 * Ends a call as cancelled, whatever it is doing, and what is open below it: its record and event are written first, then whoever
 * runs it is told, who aborts the agent. Asked twice, or after the end, it answers with the state that stands.
 */
export async function cancelCall(
  call: CallOutline,
  reason: string | undefined,
  ports: CancelPorts,
): Promise<CancelOutcome> {
  const { log, queue, broadcast } = ports
  const { callId, trace } = call
  const why = reason === undefined ? 'the call was cancelled' : `the call was cancelled: ${reason}`
  const error = new HubError('CANCELLED', why, { callId, traceId: trace.traceId })
  const outcome = await log.change({ call, events: [endingOfError('cancelled', error, call)] })
  if (outcome.kind !== 'changed') {
    const state = outcome.kind === 'not-allowed' ? outcome.state : call.state
    // Asked again, perhaps since the first answer was lost together with the rest of the cancel.
    if (state === 'cancelled') await cancelChildren(call, state, ports)
    // Read now: the call may have ended since it was looked up.
    const hasFailed = state === 'completed' && (await log.findOutline(callId))?.isError === true
    return { callId, state, ...(hasFailed ? { isError: true } : {}), cancelled: false }
  }
  // The seam of design section 6: whoever runs the call also looks at its state at a pace, should this not arrive.
  await broadcast.announce(callId)
  if (call.mode === 'queued') await queue.remove(call)
  await cancelChildren(call, 'cancelled', ports)
  return { callId, state: 'cancelled', cancelled: true }
}

/**
 * Ends what a call that has ended leaves behind (structured concurrency): after a cancel all that is open below it, after another
 * end the calls that its agent made. Each is ended by a step of its own; what a crash leaves over, a sweep finds by its parent.
 */
export async function cancelChildren(
  { callId, trace }: Pick<CallOutline, 'callId' | 'trace'>,
  state: CallState,
  ports: CancelPorts,
): Promise<void> {
  for (const childId of await ports.log.findChildren({ callId, trace })) {
    const child = await ports.log.findOutline(childId)
    if (child === null || (state !== 'cancelled' && child.parentAttempt === undefined)) continue
    if (isOpenState(child.state)) await cancelCall(child, reasonOfEnd(callId, state), ports)
    // A child that has ended may have left open what a caller had put below it: a cancel reaches that too.
    else if (state === 'cancelled') await cancelChildren(child, state, ports)
  }
}
