import { type CallState, HubError } from '@synchub/protocol'
import { endingOfError } from '../completion/ending.js'
import type { CallLog } from './call-log.js'
import type { CallQueue } from './call-queue.js'
import type { CallRecord } from './call-record.js'

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
  /** True when this request ended the call; false when it had ended before. */
  readonly cancelled: boolean
}

/**
 * Ends a call as cancelled, whatever it is doing: its record and event are written first, then whoever runs it is told, who
 * aborts the agent. Asked twice, or after the end, it answers with the state that stands.
 */
export async function cancelCall(
  call: CallRecord,
  reason: string | undefined,
  { log, queue, broadcast }: CancelPorts,
): Promise<CancelOutcome> {
  const { callId, trace } = call
  const why = reason === undefined ? 'the call was cancelled' : `the call was cancelled: ${reason}`
  const error = new HubError('CANCELLED', why, { callId, traceId: trace.traceId })
  const outcome = await log.change({ call, events: [endingOfError('cancelled', error, call)] })
  if (outcome.kind !== 'changed') {
    return { callId, state: outcome.kind === 'not-allowed' ? outcome.state : call.state, cancelled: false }
  }
  // The seam of design section 6: whoever runs the call also looks at its state at a pace, should this not arrive.
  await broadcast.announce(callId)
  if (call.mode === 'queued') await queue.remove(call)
  return { callId, state: 'cancelled', cancelled: true }
}
