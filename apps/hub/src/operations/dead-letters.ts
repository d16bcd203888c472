import { maskRunAccess, mayResolve, type Principal } from '@synchub/auth'
import { type CallRecord, resolveCall } from '@synchub/core'
import { type DeadLetterView, HubError, type JsonRpcErrorObject } from '@synchub/protocol'
import { createDeadLetters, type DeadLetterQuery, toCallSummary, toResolutionView } from '@synchub/redis'
import { linksOfCall } from '../calls/call-view.js'
import { MAX_REASON_LENGTH } from '../calls/cancel-visible-call.js'
import { findVisibleCall, requireOwnLists } from '../calls/visible-objects.js'
import { badParameter, queryOf, readCount, readFlag, readInstant } from '../http/query.js'
import type { HubContext } from '../hub-context.js'
import { ownerOfList, withoutUndefined } from './list-query.js'
import type { Operation } from './operation.js'

/** States that a dead letter can have. */
const STATES = ['unknown', 'failed'] as const

/**
 * `GET /dead-letters`: calls whose outcome nobody knows, and those whose agent was never reached; the last that ended first,
 * filtered, in pages. With `resolved=1` those of which somebody has said what became of them.
 */
export function getDeadLetters(context: HubContext): Operation {
  const letters = createDeadLetters(context.store.link, context.store.log)
  return {
    method: 'get',
    path: '/dead-letters',
    async handle({ url, principal }) {
      requireOwnLists(principal)
      const { items, nextCursor } = await letters.page(readQuery(queryOf(url), principal))
      const views = await Promise.all(items.map((call) => viewOf(call, context)))
      return { body: { items: views, ...(nextCursor === undefined ? {} : { nextCursor }) } }
    },
  }
}

/** `POST /calls/{callId}/resolve`: says once what became of a dead letter. How it ended stays as it was reported. */
export function postResolve(context: HubContext): Operation {
  const letters = createDeadLetters(context.store.link, context.store.log)
  return {
    method: 'post',
    path: '/calls/:callId/resolve',
    async handle({ principal, params: { callId = '' }, readBody }) {
      const call = await findVisibleCall(callId, principal, context)
      if (!mayResolve(principal, call.trace.owner)) throw mayNot(principal)
      const reason = readReason((await readBody()).reason)
      const { resolution, resolved } = await resolveCall(call, { by: principal.subject, reason }, context.store.log)
      const { traceId } = call.trace
      await letters.settle(call, call.endedAtMs ?? resolution.atMs)
      const { tenant, subject, agent } = principal
      context.logger.info(
        { audit: 'calls/resolve', tenant, subject, agent, callId, traceId, resolved },
        'call resolved',
      )
      const body = { callId, traceId, state: call.state, resolved, resolution: toResolutionView(resolution) }
      return { body: { ...body, links: linksOfCall(callId, traceId) } }
    },
  }
}

function mayNot({ run }: Principal): HubError {
  if (run !== undefined) return new HubError('FORBIDDEN', 'an agent at work does not say what became of calls')
  const scope = 'calls:resolve:tenant'
  return new HubError('FORBIDDEN', 'the API key may see this call, but not resolve it', { scope })
}

function readReason(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_REASON_LENGTH) {
    throw badParameter('reason', `a text of 1 to ${MAX_REASON_LENGTH} characters: what became of the call`)
  }
  // It goes into an event, and may have been copied from where an access token stands.
  return maskRunAccess(value, '[redacted]')
}

function readQuery(params: URLSearchParams, principal: Principal): DeadLetterQuery {
  const cursor = params.get('cursor') ?? undefined
  if (cursor !== undefined && !/^\d+\/[0-9a-f-]+$/.test(cursor)) {
    throw badParameter('cursor', 'nextCursor of an earlier page')
  }
  const wanted = params.get('state')
  const state = STATES.find((known) => known === wanted)
  if (wanted !== null && state === undefined) throw badParameter('state', `one of ${STATES.join(', ')}`)
  const owner = ownerOfList(params.get('owner') ?? undefined, principal)
  const given = {
    owner,
    state,
    agent: params.get('agent') ?? undefined,
    tool: params.get('tool') ?? undefined,
    caller: params.get('caller') ?? undefined,
    fromMs: readInstant(params, 'from'),
    toMs: readInstant(params, 'to'),
    cursor,
  }
  return {
    tenant: principal.tenant,
    isResolved: readFlag(params, 'resolved'),
    limit: readCount(params, 'limit', { max: 200, fallback: 50 }),
    ...withoutUndefined(given),
  }
}

async function viewOf(call: CallRecord, { store }: HubContext): Promise<DeadLetterView> {
  const ending = await store.log.findEnding(call)
  const error = ending?.data.error as JsonRpcErrorObject | undefined
  const { callId, trace } = call
  const { owner, traceId } = trace
  return {
    ...toCallSummary(call),
    owner,
    ...(error === undefined ? {} : { error }),
    links: { ...linksOfCall(callId, traceId), resolve: `/calls/${callId}/resolve`, rerun: `/calls/${callId}/rerun` },
  }
}
