import { declaredInputs, type ErrorCode, type ErrorDetails, HubError } from '@synchub/protocol'
import type { CallRecord } from '../call/call-record.js'
import { instanceOf } from '../call/problem-instance.js'

/** What an agent may say of its own work. Every other title tells of the hub, its store or its callers, and is the hub's to say. */
const AGENT_CODES: ReadonlySet<ErrorCode> = new Set([
  'METHOD_NOT_FOUND',
  'INVALID_PARAMS',
  'INTERNAL_ERROR',
  'HITL_APPROVAL_REQUIRED',
  'TOKEN_BUDGET_EXCEEDED',
  'COMPENSATING_TX_TRIGGERED',
  'FORBIDDEN',
  'NOT_FOUND',
  'AGENT_UNAVAILABLE',
  'CONTRACT_BROKEN',
  'OUTCOME_UNKNOWN',
  'CAPABILITY_MISSING',
])

/**
 * An agent's failure as the hub passes it on: its reason and the place of a bad parameter are the agent's, but what callers act
 * on (title, instance, links, next step, time to wait) is never taken from an agent. A title that is not an agent's to say
 * becomes INTERNAL_ERROR; one that says the hub's secret is not accepted becomes AGENT_UNAVAILABLE, no fault of the caller's.
 */
export function toAgentFailure(error: HubError, call: CallRecord): HubError {
  const place = { instance: instanceOf(call), callId: call.callId, traceId: call.trace.traceId }
  return ownFailure(error, call.agent, place)
}

/** As {@link toAgentFailure}, of an agent that was only read from. */
export function toReadFailure(error: HubError, agent: string): HubError {
  return ownFailure(error, agent, {})
}

function ownFailure(error: HubError, agent: string, place: ErrorDetails): HubError {
  const { detail, path, expected, requiredCapabilities } = error.details
  if (error.code === 'UNAUTHENTICATED') {
    return new HubError('AGENT_UNAVAILABLE', `${agent} does not accept the hub's secret`, {
      ...place,
      cause: error,
    })
  }
  return new HubError(AGENT_CODES.has(error.code) ? error.code : 'INTERNAL_ERROR', error.reason, {
    ...(detail === undefined ? {} : { detail }),
    ...(path === undefined ? {} : { path }),
    ...(expected === undefined ? {} : { expected }),
    ...(requiredCapabilities === undefined ? {} : { requiredCapabilities: declaredInputs(requiredCapabilities) }),
    layer:
      error.code === 'INVALID_PARAMS' || error.code === 'HITL_APPROVAL_REQUIRED' ? error.definition.layer : 'agent',
    ...place,
    cause: error,
  })
}
