import type { Principal } from '@synchub/auth'
import { TRACE_STATES, type TraceState } from '@synchub/protocol'
import type { TraceQuery } from '@synchub/redis'
import { findVisibleTrace, requireOwnLists } from '../calls/visible-objects.js'
import { badParameter, queryOf, readCount, readInstant } from '../http/query.js'
import type { HubContext } from '../hub-context.js'
import { ownerOfList, withoutUndefined } from './list-query.js'
import type { Operation } from './operation.js'

// A change that was written while an earlier page was read must not fall between two polls.
const SINCE_OVERLAP_MS = 2000

/** `GET /traces`: newest first, filtered, in pages; with `since`, those that changed since an instant. */
export function getTraces(context: HubContext): Operation {
  return {
    method: 'get',
    path: '/traces',
    async handle({ url, principal }) {
      requireOwnLists(principal)
      const params = queryOf(url)
      const sinceMs = readInstant(params, 'since')
      const asOf = new Date(context.clock.now() - SINCE_OVERLAP_MS).toISOString()
      const query = readTraceQuery(params, principal)
      const page =
        sinceMs === undefined ? await context.list.newest(query) : await context.list.changedSince(query, sinceMs)
      return { body: { ...page, asOf } }
    },
  }
}

/** `GET /traces/{traceId}`: the trace at one instant, with its tree of calls and the cursor to watch on from. */
export function getTrace(context: HubContext): Operation {
  return {
    method: 'get',
    path: '/traces/:traceId',
    async handle({ url, principal, params: { traceId = '' } }) {
      const wish = { traceId, owner: queryOf(url).get('owner') ?? undefined, mayBeMissing: false }
      const trace = await findVisibleTrace(wish, principal, context)
      return { body: await context.reader.snapshot(trace) }
    },
  }
}

function readTraceQuery(params: URLSearchParams, principal: Principal): TraceQuery {
  const text = (name: string) => params.get(name) ?? undefined
  const cursor = text('cursor')
  if (cursor !== undefined && !/^\d+\//.test(cursor)) throw badParameter('cursor', 'nextCursor of an earlier page')
  const owner = ownerOfList(text('owner'), principal)
  const filter = {
    states: readStates(params),
    tool: text('tool'),
    agent: text('agent'),
    text: text('text'),
    caller: text('caller'),
    fromMs: readInstant(params, 'from'),
    toMs: readInstant(params, 'to'),
  }
  return {
    tenant: principal.tenant,
    ...(owner === undefined ? {} : { owner }),
    filter: withoutUndefined(filter),
    limit: readCount(params, 'limit', { max: 200, fallback: 50 }),
    ...(cursor === undefined ? {} : { cursor }),
  }
}

/** States separated by commas: a person who looks for what failed names several. */
function readStates(params: URLSearchParams): readonly TraceState[] | undefined {
  return params
    .get('state')
    ?.split(',')
    .map((text) => {
      const state = TRACE_STATES.find((known) => known === text)
      if (state === undefined) throw badParameter('state', `some of ${TRACE_STATES.join(', ')}, separated by commas`)
      return state
    })
}
