import type { HubError } from '@synchub/protocol'
import type { IdempotencyClaims } from '../idempotency/claims.js'
import { digestKey, ownedKey } from '../idempotency/digest.js'
import type { CallRequest } from './call-request.js'

/** Where it is known whether new calls can be kept. */
export interface RoomPorts {
  readonly claims: IdempotencyClaims
  /** Why no new call can be kept, such as a store that is full; undefined where there is room. */
  noRoom(): HubError | undefined
}

/**
 * Nothing new is recorded in a store that is full, not even a refusal; a repeat finds its first call all the same.
 * @throws HubError of `noRoom`
 */
export async function requireRoom(
  { principal, idempotencyKey }: CallRequest,
  { claims, noRoom }: RoomPorts,
): Promise<void> {
  const refusal = noRoom()
  if (refusal === undefined) return
  if (idempotencyKey === undefined) throw refusal
  const scope = { tenant: principal.tenant, owner: principal.subject }
  const known = await claims.findCallId(scope, digestKey(ownedKey(idempotencyKey, principal)))
  if (known === null) throw refusal
}
