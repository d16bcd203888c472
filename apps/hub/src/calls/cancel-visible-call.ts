import { maskRunAccess, mayCancel, type Principal } from '@synchub/auth'
import { type CancelOutcome, isBelow } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'
import { findVisibleCall } from './visible-objects.js'

/** Longest reason for a cancel, in characters: it becomes part of the call's last event. */
export const MAX_REASON_LENGTH = 1000

/**
 * Cancels a call for a principal who may see it and may cancel what its owner made; an agent at work only what hangs below its call.
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
  const { run } = principal
  if (run !== undefined && !(await isBelow(call, run.callId, context.store.log))) {
    throw new HubError('FORBIDDEN', 'an agent at work cancels only calls that were made below its own')
  }
  // Whoever cancels may hold an access token, and the reason goes into an event.
  return context.calls.cancel(call, reason === undefined ? undefined : maskRunAccess(reason, '[redacted]'))
}
