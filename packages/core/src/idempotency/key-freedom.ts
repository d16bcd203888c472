import { fromErrorObject } from '@synchub/protocol'
import type { CallLog } from '../call/call-log.js'

/**
 * Whether the call that holds a key leaves it free: it was refused, by the hub or by an agent that wants an approval first, so
 * nothing was done and the same key may come again. Read when the key comes again, so no second write can be lost in a crash.
 */
export async function leavesKeyFree(callId: string, log: CallLog): Promise<boolean> {
  const call = await log.find(callId)
  if (call?.state === 'refused') return true
  if (call?.state !== 'failed') return false
  const ending = await log.findEnding(call)
  return fromErrorObject(ending?.data.error).code === 'HITL_APPROVAL_REQUIRED'
}
