import { isRunAccess, type Principal, type ShownRunAccess } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import type { CallLog } from '../call/call-log.js'
import type { CallRecord } from '../call/call-record.js'
import type { HubConfig } from '../config/hub-config.js'

/** What authenticating an agent at work needs. */
export interface RunAccessPorts {
  readonly log: Pick<CallLog, 'find'>
  readonly config: HubConfig
}

/**
 * The principal of an agent that works on a call: read from the call's record, so it holds at every hub and ends with the run.
 * @throws HubError UNAUTHENTICATED; that a run is over is told only to whoever had its token
 */
export async function authenticateRun(shown: ShownRunAccess, { log, config }: RunAccessPorts): Promise<Principal> {
  const call = await log.find(shown.callId)
  if (call?.grant === undefined || !isRunAccess(shown, call.accessDigests?.[shown.attempt - 1])) {
    throw new HubError('UNAUTHENTICATED', 'the run access token is not valid', {
      nextStep: 'Send the accessToken of this attempt as it came in _meta.',
    })
  }
  const end = endOfRun(call, shown.attempt)
  if (end !== undefined) {
    throw new HubError('UNAUTHENTICATED', `the run of this access token is over: ${end}`, {
      nextStep: 'Stop: nobody waits for this attempt any more. A later one brings an access token of its own.',
    })
  }
  const { trace, agent, callId, grant, attempt, fence } = call
  // Read now, not when the call was made: what the configuration takes back is taken back at once.
  const delegates = config.agents.get(agent)?.delegates ?? []
  return {
    tenant: trace.tenant,
    subject: trace.owner,
    agent,
    scopes: grant.scopes,
    run: {
      callId,
      attempt,
      ...(fence === undefined ? {} : { fence }),
      traceId: trace.traceId,
      within: [...grant.within, delegates],
    },
  }
}

function endOfRun({ state, attempt }: CallRecord, shownAttempt: number): string | undefined {
  if (attempt !== shownAttempt) return `attempt ${attempt} of its call was opened after attempt ${shownAttempt}`
  return state === 'running' ? undefined : `its call is ${state}`
}
