import { type CallState, isOpenState } from '@synchub/protocol'
import type { CallOutline } from '../call/call-record.js'

/**
 * Why an open call must not outlive its parent; undefined where it may go on. A cancel reaches everything that was below the call
 * by then; another end reaches what its agent had made itself, since nobody waits for that any more. A caller's own call that only
 * names a parent goes on, and so does everything while the parent is retried or handed back.
 */
export function orphanReason(child: CallOutline, parent: CallOutline): string | undefined {
  if (isOpenState(parent.state)) return undefined
  const isOwn = child.parentAttempt !== undefined
  const isReached = parent.state === 'cancelled' && child.createdAtMs <= (parent.endedAtMs ?? 0)
  return isOwn || isReached ? reasonOfEnd(parent.callId, parent.state) : undefined
}

/** What the event of a call says that was cancelled because of its parent's end. */
export function reasonOfEnd(parentCallId: string, state: CallState): string {
  return `the call ${parentCallId} that it was made for is ${state}`
}
