import { HubError } from '@synchub/protocol'
import type { EventDraft } from '../call/call-log.js'
import type { CallRecord } from '../call/call-record.js'
import type { ChangeEvent } from '../call/state-table.js'
import { endingOfError } from '../completion/ending.js'

/** Instant (ms) from which a queued call is not started any more; infinite where it may wait for ever. */
export function queueDeadlineOf({ queueDeadlineAtMs }: CallRecord): number {
  return queueDeadlineAtMs ?? Number.POSITIVE_INFINITY
}

/** The ending of a call that waited in its queue for longer than it may: whoever sees it first, sweep or dispatcher. */
export function endingOfWait(call: CallRecord, nowMs: number): EventDraft<ChangeEvent> {
  const { callId, trace, agent, createdAtMs } = call
  const reason = `the call waited ${nowMs - createdAtMs} ms for ${agent} and was not started`
  const error = new HubError('AGENT_UNAVAILABLE', reason, { callId, traceId: trace.traceId })
  return endingOfError('failed', error, call)
}
