import { cancelVisibleCall, MAX_REASON_LENGTH } from '../calls/cancel-visible-call.js'
import type { HubContext } from '../hub-context.js'
import { type RpcMethod, rpcMethod } from './rpc-method.js'

/** `calls/cancel`: ends a call; answers the state that stands, also when it had ended before. */
export function callsCancel(context: HubContext): RpcMethod {
  return rpcMethod({
    name: 'calls/cancel',
    params: {
      type: 'object',
      required: ['callId'],
      properties: { callId: { type: 'string' }, reason: { type: 'string', maxLength: MAX_REASON_LENGTH } },
    },
    async handle({ callId, reason }, { principal }) {
      const why = typeof reason === 'string' ? reason : undefined
      return { kind: 'result', result: await cancelVisibleCall(String(callId), why, principal, context) }
    },
  })
}
