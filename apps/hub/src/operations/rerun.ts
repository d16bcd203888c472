import type { CallRecord, CallRequest } from '@synchub/core'
import { AGENT_NAME_RULE, HubError, isAgentName, isTraceId, TRACE_ID_RULE } from '@synchub/protocol'
import { callHeaders } from '../calls/call-headers.js'
import { linksOfCall } from '../calls/call-view.js'
import { optionalName, readIdempotencyKey } from '../calls/checked-name.js'
import { createTraceId } from '../calls/trace-id.js'
import { findVisibleCall } from '../calls/visible-objects.js'
import type { HubContext } from '../hub-context.js'
import type { Operation, OperationRequest } from './operation.js'

/**
 * `POST /calls/{callId}/rerun`: asks the same agent the same thing once more, as whoever asks now. It passes all of admission
 * like any other call: seeing a call allows nobody to make it.
 */
export function postRerun(context: HubContext): Operation {
  return {
    method: 'post',
    path: '/calls/:callId/rerun',
    async handle(request) {
      const origin = await findVisibleCall(request.params.callId ?? '', request.principal, context)
      if (request.principal.run !== undefined) {
        throw new HubError('FORBIDDEN', 'a rerun begins a new trace, and a run access token is good for its own')
      }
      const wanted = await readRequest(request, origin)
      if (!context.isServing()) {
        throw new HubError('HUB_UNAVAILABLE', 'this hub is stopping and takes no new calls', { retryAfterSeconds: 1 })
      }
      const submitted = await context.calls.submit(wanted)
      const { callId, trace, replayed } = submitted
      const { traceId } = trace
      return {
        status: 202,
        body: {
          callId,
          traceId,
          originCallId: origin.callId,
          ...(replayed ? { replayed } : {}),
          links: linksOfCall(callId, traceId),
        },
        headers: { Location: `/calls/${callId}`, ...callHeaders(submitted) },
      }
    },
  }
}

async function readRequest(
  { principal, header, readBody }: OperationRequest,
  origin: CallRecord,
): Promise<CallRequest> {
  const body = await readBody()
  const traceId = optionalName('traceId', body.traceId, isTraceId, TRACE_ID_RULE)
  const callerAgent = optionalName('callerAgent', body.callerAgent, isAgentName, AGENT_NAME_RULE)
  const idempotencyKey = readIdempotencyKey({
    path: 'idempotencyKey',
    inBody: body.idempotencyKey,
    inHeader: header('idempotency-key'),
  })
  return {
    principal,
    ...nameOf(origin),
    arguments: origin.arguments,
    traceId: traceId ?? createTraceId(),
    originCallId: origin.callId,
    ...(callerAgent === undefined ? {} : { callerAgent }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
}

/** The very tool that was called: with its agent in front, since a bare name may mean another one by now. */
function nameOf({ agent, tool }: CallRecord): Pick<CallRequest, 'name' | 'targetAgent'> {
  return agent === '' ? { name: tool } : { name: `${agent}.${tool}`, targetAgent: agent }
}
