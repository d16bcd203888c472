import { HubError } from '@synchub/protocol'
import type { EventDraft } from '../call/call-log.js'
import type { CallOutline } from '../call/call-record.js'
import type { ChangeEvent } from '../call/state-table.js'
import { endingOfError } from '../completion/ending.js'

/** Instant (ms) from which a queued call is not started any more; infinite where it may wait for ever. */
export function queueDeadlineOf({ queueDeadlineAtMs }: CallOutline): number {
  return queueDeadlineAtMs ?? Number.POSITIVE_INFINITY
}

/**
 * The ending of a call that waited in its queue for longer than it may: whoever sees it first, sweep or dispatcher. One that
 * was handed back may have reached its agent before, so it never says that nothing was done, which would give its key free.
 */
export function endingOfWait(call: CallOutline, nowMs: number): EventDraft<ChangeEvent> {
  const { callId, trace, agent, createdAtMs } = call
  const place = { callId, traceId: trace.traceId }
  const reason = `the call waited ${nowMs - createdAtMs} ms for ${agent} and was not started`
  if (call.attempt === 0) return endingOfError('failed', new HubError('AGENT_UNAVAILABLE', reason, place), call)
  const again = `${reason} again, and an earlier attempt may have acted`
  return endingOfError('unknown', new HubError('OUTCOME_UNKNOWN', again, place), call)
}
