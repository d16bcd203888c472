import type { IncomingHttpHeaders } from 'node:http'
import { type CallRecord, digestKey, ownedKey } from '@synchub/core'
import { HubError, IDEMPOTENCY_KEY_RULE, isIdempotencyKey, type JsonObject } from '@synchub/protocol'
import { readCallerHeaders } from '../agent-builder/caller-headers.js'
import { pathKey } from '../agent-builder/path-key.js'
import { readCallView } from '../calls/call-view.js'
import { findVisibleCall } from '../calls/visible-objects.js'
import type { HubContext } from '../hub-context.js'
import { type RpcCall, type RpcMethod, rpcMethod } from './rpc-method.js'

/** Names of deployments as the configuration has them. */
const NAME = '^[A-Za-z0-9_-]{1,64}$'

/** `calls/get`: the state of a call, by its callId or by the idempotency key that the caller sent (S4.3). */
export function callsGet(context: HubContext): RpcMethod {
  return rpcMethod({
    name: 'calls/get',
    params: {
      type: 'object',
      properties: {
        callId: { type: 'string' },
        idempotencyKey: { type: 'string' },
        deployment: { type: 'string', pattern: NAME },
      },
    },
    async handle(params, sender) {
      const call = await findCall(params, sender, context)
      return { kind: 'result', result: await readCallView(call, context.store) }
    },
  })
}

async function findCall(
  { callId, idempotencyKey, deployment }: JsonObject,
  { principal, headers }: RpcCall,
  context: HubContext,
): Promise<CallRecord> {
  if (typeof callId === 'string') return findVisibleCall(callId, principal, context)
  if (!isIdempotencyKey(idempotencyKey)) {
    const place = { path: 'callId', expected: `a callId, or an idempotencyKey of ${IDEMPOTENCY_KEY_RULE}` }
    throw new HubError('INVALID_PARAMS', "'callId' or 'idempotencyKey' is required", place)
  }
  const scope = { tenant: principal.tenant, owner: principal.subject }
  const key = typeof deployment === 'string' ? keyOnPath(deployment, idempotencyKey, headers) : idempotencyKey
  const found = await context.store.claims.findCallId(scope, digestKey(ownedKey(key, principal)))
  // Claimed, and not recorded yet, is no call either.
  if (found === null || (await context.store.log.find(found)) === null) {
    throw new HubError('NOT_FOUND', 'no call was made with this idempotency key')
  }
  return findVisibleCall(found, principal, context)
}

/** A key that was sent on a public path, for the employee whom the same headers name there. @throws HubError INVALID_REQUEST */
function keyOnPath(deployment: string, key: string, sent: IncomingHttpHeaders): string {
  const { carried, fault } = readCallerHeaders(sent)
  if (fault !== undefined) throw fault
  return pathKey(deployment, key, carried)
}
