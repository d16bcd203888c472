import { maskRunAccess, type Principal } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import type { CallRequest } from '../admission/call-request.js'
import type { CallLog } from '../call/call-log.js'
import type { NewCall } from '../call/call-record.js'
import type { TraceRef } from '../trace/trace-ref.js'

/** Where a call says that it belongs. */
export interface NamedPlace {
  readonly traceId?: string | undefined
  readonly parentCallId?: string | undefined
}

/**
 * The place of a request of this principal. An agent at work has one place, and may name no other; whoever is not at work names
 * what it likes.
 * @throws HubError INVALID_PARAMS naming the member that contradicts
 */
export function placeOf({ run }: Principal, named: NamedPlace): NamedPlace {
  if (run === undefined) return named
  return {
    traceId: onlyPlace('_meta.traceId', named.traceId, run.traceId),
    parentCallId: onlyPlace('_meta.parentCallId', named.parentCallId, run.callId),
  }
}

function onlyPlace(path: string, named: string | undefined, own: string): string {
  if (named === undefined || named === own) return own
  const reason = `${path} is not that of the run whose access token was sent`
  throw new HubError('INVALID_PARAMS', reason, { path, expected: `absent, or ${own}` })
}

/**
 * A request with its place filled in.
 * @throws HubError INVALID_PARAMS when an agent at work names another place, or would hand an access token on in its arguments
 */
export function placeRequest(request: CallRequest): CallRequest {
  const { principal, traceId, parentCallId } = request
  if (principal.run === undefined) return request
  const text = JSON.stringify(request.arguments)
  if (maskRunAccess(text, '') !== text) {
    const place = { path: 'arguments', expected: 'no run access token' }
    throw new HubError('INVALID_PARAMS', 'a run access token may not be handed on in the arguments of a call', place)
  }
  placeOf(principal, { traceId, parentCallId })
  return { ...request, parentCallId: principal.run.callId }
}

/** The members of a record that tell where its call stands in the tree of its trace. */
export type TreePlace = Pick<NewCall, 'parentCallId' | 'parentAttempt' | 'parentFence' | 'depth'>

/**
 * Finds the place in the tree of a call under `parentCallId`.
 * @throws HubError INVALID_PARAMS when that is no call of the same trace
 */
export async function findTreePlace(
  parentCallId: string,
  trace: TraceRef,
  { run }: Principal,
  log: Pick<CallLog, 'find'>,
): Promise<TreePlace> {
  const parent = await log.find(parentCallId)
  if (
    parent?.trace.tenant !== trace.tenant ||
    parent.trace.owner !== trace.owner ||
    parent.trace.traceId !== trace.traceId
  ) {
    const place = { path: '_meta.parentCallId', expected: 'a call of the same trace' }
    throw new HubError('INVALID_PARAMS', '_meta.parentCallId must be a call of the same trace', place)
  }
  return {
    parentCallId,
    depth: (parent.depth ?? 1) + 1,
    ...(run === undefined ? {} : { parentAttempt: run.attempt }),
    ...(run?.fence === undefined ? {} : { parentFence: run.fence }),
  }
}

/**
 * Whether `call` stands below `ancestorId` in its trace. Trees are shallow (`limits.maxCallDepth`), so it is looked up from below.
 */
export async function isBelow(
  call: Pick<NewCall, 'parentCallId'>,
  ancestorId: string,
  log: Pick<CallLog, 'find'>,
): Promise<boolean> {
  for (let at: Pick<NewCall, 'parentCallId'> | null = call; at?.parentCallId !== undefined; ) {
    if (at.parentCallId === ancestorId) return true
    at = await log.find(at.parentCallId)
  }
  return false
}
