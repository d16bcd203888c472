import { mayCancel, type Principal } from '@synchub/auth'
import type { CancelOutcome } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'
import { findVisibleCall } from './visible-objects.js'

/** Longest reason for a cancel, in characters: it becomes part of the call's last event. */
export const MAX_REASON_LENGTH = 1000

/**
 * Cancels a call for a principal who may see it and may cancel what its owner made.
 * @throws HubError NOT_FOUND, FORBIDDEN
 */
export async function cancelVisibleCall(
  callId: string,
  reason: string | undefined,
  principal: Principal,
  context: HubContext,
): Promise<CancelOutcome> {
  const call = await findVisibleCall(callId, principal, context)
  if (!mayCancel(principal, call.trace.owner)) {
    const scope = 'calls:cancel:tenant'
    throw new HubError('FORBIDDEN', 'the API key may see this call, but not cancel it', { scope })
  }
  return context.calls.cancel(call, reason)
}
