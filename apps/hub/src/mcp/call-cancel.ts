import { HubError } from '@synchub/protocol'
import type { SubmittedCall } from '../calls/call-desk.js'
import type { HubContext } from '../hub-context.js'
import type { McpCall } from './mcp-method.js'

/** Has a call end with the request that began it. A repeat only listens: its call belongs to the request that made it. */
export async function cancelWithRequest(
  { cancelled }: McpCall,
  { callId, replayed }: SubmittedCall,
  context: HubContext,
): Promise<void> {
  if (replayed) return
  const cancel = () => cancelCall(callId, cancelled.reason, context)
  if (cancelled.aborted) await cancel()
  else cancelled.addEventListener('abort', () => void cancel(), { once: true })
}

async function cancelCall(callId: string, reason: unknown, { store, calls, logger }: HubContext): Promise<void> {
  try {
    const record = await store.log.find(callId)
    if (record !== null) await calls.cancel(record, reason instanceof HubError ? reason.reason : undefined)
  } catch (thrown) {
    logger.warn({ err: thrown, callId }, 'the call of a cancelled request was not cancelled')
  }
}
