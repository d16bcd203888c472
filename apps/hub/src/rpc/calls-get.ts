import type { Principal } from '@synchub/auth'
import { type CallRecord, digestKey, ownedKey } from '@synchub/core'
import { HubError, IDEMPOTENCY_KEY_RULE, isIdempotencyKey, type JsonObject } from '@synchub/protocol'
import { toCallView } from '../calls/call-view.js'
import { findVisibleCall } from '../calls/visible-objects.js'
import type { HubContext } from '../hub-context.js'
import { type RpcMethod, rpcMethod } from './rpc-method.js'

/** `calls/get`: the state of a call, by its callId or by the idempotency key that the caller sent (S4.3). */
export function callsGet(context: HubContext): RpcMethod {
  return rpcMethod({
    name: 'calls/get',
    params: { type: 'object', properties: { callId: { type: 'string' }, idempotencyKey: { type: 'string' } } },
    async handle(params, { principal }) {
      const call = await findCall(params, principal, context)
      return { kind: 'result', result: toCallView(call, await context.store.log.findEnding(call)) }
    },
  })
}

async function findCall(
  { callId, idempotencyKey }: JsonObject,
  principal: Principal,
  context: HubContext,
): Promise<CallRecord> {
  if (typeof callId === 'string') return findVisibleCall(callId, principal, context)
  if (!isIdempotencyKey(idempotencyKey)) {
    const place = { path: 'callId', expected: `a callId, or an idempotencyKey of ${IDEMPOTENCY_KEY_RULE}` }
    throw new HubError('INVALID_PARAMS', "'callId' or 'idempotencyKey' is required", place)
  }
  const scope = { tenant: principal.tenant, owner: principal.subject }
  const found = await context.store.claims.findCallId(scope, digestKey(ownedKey(idempotencyKey, principal)))
  if (found === null) throw new HubError('NOT_FOUND', 'no call was made with this idempotency key')
  return findVisibleCall(found, principal, context)
}
