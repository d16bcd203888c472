import { type ErrorCode, fromErrorObject } from '@synchub/protocol'
import type { CallLog } from '../call/call-log.js'

/** Failures that say that nothing was done: the caller is told to send the call again. */
const NOTHING_DONE: ReadonlySet<ErrorCode> = new Set(['HITL_APPROVAL_REQUIRED', 'AGENT_UNAVAILABLE', 'HUB_UNAVAILABLE'])

/**
 * Whether the call that holds a key leaves it free: it was refused by the hub, or failed with nothing done, so the same key may
 * come again. Read when the key comes again, so no second write can be lost in a crash.
 */
export async function leavesKeyFree(callId: string, log: CallLog): Promise<boolean> {
  const call = await log.find(callId)
  if (call?.state === 'refused') return true
  if (call?.state !== 'failed') return false
  const ending = await log.findEnding(call)
  return NOTHING_DONE.has(fromErrorObject(ending?.data.error).code)
}
