import { mayRead, type Principal } from '@synchub/auth'
import { type CallRecord, isCallId, type TraceRef } from '@synchub/core'
import { HubError, isTraceId } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'

/**
 * The call, if the principal may see it. What another owner or tenant holds looks exactly like what does not exist
 * (invariant 8); to an agent at work so does every other trace.
 * @throws HubError NOT_FOUND
 */
export async function findVisibleCall(
  callId: string,
  principal: Principal,
  { store }: HubContext,
): Promise<CallRecord> {
  const call = isCallId(callId) ? await store.log.find(callId) : null
  const { tenant, run } = principal
  if (
    call === null ||
    call.trace.tenant !== tenant ||
    !mayRead(principal, call.trace.owner) ||
    (run !== undefined && call.trace.traceId !== run.traceId)
  ) {
    throw new HubError('NOT_FOUND', `there is no call ${JSON.stringify(callId)}`)
  }
  return call
}

/** Which trace a reader means. */
export interface TraceWish {
  readonly traceId: string
  /** Chooses among the traces of several owners. */
  readonly owner: string | undefined
  /** Whether a trace that does not exist yet will do. */
  readonly mayBeMissing: boolean
}

/**
 * The trace that a reader's traceId names: its own, or with the scope one of the tenant; for an agent at work that of its call.
 * @throws HubError NOT_FOUND, or INVALID_PARAMS when it names several owners' traces
 */
export async function findVisibleTrace(wish: TraceWish, principal: Principal, { list }: HubContext): Promise<TraceRef> {
  const { traceId, owner, mayBeMissing } = wish
  const missing = () => new HubError('NOT_FOUND', `there is no trace ${JSON.stringify(traceId)}`)
  if (!isTraceId(traceId)) throw missing()
  const { tenant, subject, run } = principal
  if (run !== undefined && traceId !== run.traceId) throw missing()
  const holders = (await list.ownersOf(tenant, traceId)).filter((holder) => mayRead(principal, holder))
  const wanted = owner === undefined ? holders : holders.filter((holder) => holder === owner)
  const [only] = wanted
  if (wanted.length > 1) {
    throw new HubError('INVALID_PARAMS', `the traceId ${traceId} names traces of several owners`, {
      path: 'owner',
      expected: `?owner= one of ${wanted.toSorted().join(', ')}`,
    })
  }
  if (only !== undefined) return { tenant, owner: only, traceId }
  if (!mayBeMissing || (owner !== undefined && owner !== subject)) throw missing()
  return { tenant, owner: subject, traceId }
}

/**
 * Lists show all that an owner has, and an agent at work has one trace.
 * @throws HubError FORBIDDEN for an agent at work
 */
export function requireOwnLists({ run }: Principal): void {
  if (run === undefined) return
  throw new HubError('FORBIDDEN', 'a run access token opens one trace, and no list of traces', {
    nextStep: `Read /traces/${run.traceId}.`,
  })
}
