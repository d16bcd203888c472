import { HubError } from '@synchub/protocol'
import type { CallLog } from '../call/call-log.js'
import type { CallRecord } from '../call/call-record.js'
import type { Resolution, ResolveOutcome } from './resolution.js'

/**
 * Whether a call waits for a person (a dead letter): nobody knows whether its agent has acted, or the hub had taken it into a queue and
 * no try to reach the agent was left. A direct call whose agent is not reached is none: nothing was done, its caller hears so at once
 * and sends it again itself, and an agent that is down would fill the list. What the agent itself answered, or the hub refused, is an
 * answer and no dead letter either.
 */
export function isDeadLetter({ state, endCode, mode }: Pick<CallRecord, 'state' | 'endCode' | 'mode'>): boolean {
  return state === 'unknown' || (state === 'failed' && endCode === 'AGENT_UNAVAILABLE' && mode === 'queued')
}

/**
 * Notes what became of a dead letter, once: one more event in its trace. How the call ended stays as it was reported (design 4).
 * @throws HubError INVALID_PARAMS for a call that is none
 */
export async function resolveCall(
  call: CallRecord,
  { by, reason }: Pick<Resolution, 'by' | 'reason'>,
  log: CallLog,
): Promise<ResolveOutcome> {
  if (!isDeadLetter(call)) throw notDead(call)
  const outcome = await log.resolve(call, { by, reason })
  if (outcome === null) throw new HubError('NOT_FOUND', `there is no call ${JSON.stringify(call.callId)}`)
  return outcome
}

function notDead({ callId, state }: CallRecord): HubError {
  const reason = `the call is ${state}: only a call whose outcome is unknown, or that waited in a queue and whose agent was never reached, is resolved`
  return new HubError('INVALID_PARAMS', reason, {
    path: 'callId',
    expected: 'a dead letter',
    callId,
    nextStep: 'GET /dead-letters lists the calls that can be resolved.',
  })
}
