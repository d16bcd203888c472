import { readCallView } from '../calls/call-view.js'
import { cancelVisibleCall, MAX_REASON_LENGTH } from '../calls/cancel-visible-call.js'
import { findVisibleCall } from '../calls/visible-objects.js'
import { badParameter } from '../http/query.js'
import type { HubContext } from '../hub-context.js'
import type { Operation } from './operation.js'

/** `GET /calls/{callId}`: the whole call, its result however large. */
export function getCall(context: HubContext): Operation {
  return {
    method: 'get',
    path: '/calls/:callId',
    async handle({ principal, params: { callId = '' } }) {
      const call = await findVisibleCall(callId, principal, context)
      return { body: await readCallView(call, context.store) }
    },
  }
}

/** `POST /calls/{callId}/cancel`: ends the call; answers the state that stands. */
export function postCancel(context: HubContext): Operation {
  return {
    method: 'post',
    path: '/calls/:callId/cancel',
    async handle({ principal, params: { callId = '' }, readBody }) {
      const { reason } = await readBody()
      if (!isReason(reason)) throw badParameter('reason', `a string of at most ${MAX_REASON_LENGTH} characters`)
      return { body: await cancelVisibleCall(callId, reason, principal, context) }
    },
  }
}

function isReason(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= MAX_REASON_LENGTH)
}
