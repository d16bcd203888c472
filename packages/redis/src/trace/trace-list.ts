import type { TraceRef } from '@synchub/core'
import type { Page, TraceState, TraceSummary } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import { toTraceSummary } from './trace-view.js'

/** Which traces are wanted. */
export interface TraceFilter {
  readonly state?: TraceState
  readonly tool?: string
  readonly caller?: string
  /** Made at or after this instant, in ms. */
  readonly fromMs?: number
  /** Made before this instant, in ms. */
  readonly toMs?: number
}

/** A page of the list of traces. */
export interface TraceQuery {
  readonly tenant: string
  /** Owners whose traces are listed; `all` of the tenant. */
  readonly owner: string | 'all'
  readonly filter: TraceFilter
  readonly limit: number
  readonly cursor?: string
}

/** Lists traces. */
export interface TraceList {
  /** Newest first. */
  newest(query: TraceQuery): Promise<Page<TraceSummary>>
  /** Traces in which a call began or ended at or after `sinceMs`, the oldest change first. */
  changedSince(query: TraceQuery, sinceMs: number): Promise<Page<TraceSummary>>
  /** Owners in the tenant that have a trace of this id. */
  ownersOf(tenant: string, traceId: string): Promise<readonly string[]>
}

/** Most entries of the index that one page looks at; a filter that matches few gets the rest with the next page. */
const MAX_SCAN = 2000

interface Entry {
  readonly trace: TraceRef
  readonly atMs: number
}

/** Entries of the index in order, and whether there are more behind them. */
interface Scan {
  readonly entries: readonly Entry[]
  readonly isCut: boolean
}

/** The lists of traces over Redis: sorted sets of each owner, merged for readers of a whole tenant. */
export function createTraceList(link: RedisLink): TraceList {
  const { keys } = link
  const ownersIn = (tenant: string) => link.ask((client) => client.smembers(keys.owners(tenant)))

  const summaryOf = async (trace: TraceRef) => {
    const fields = await link.ask((client) => client.hgetall(keys.trace(trace).trace))
    const flat = Object.entries(fields).flat()
    return flat.length === 0 ? null : toTraceSummary(trace, flat)
  }

  const scan = async (
    query: TraceQuery,
    order: 'newest' | 'changed',
    fromMs: number,
    toMs: number,
  ): Promise<Scan> => {
    const { tenant } = query
    const owners = query.owner === 'all' ? await ownersIn(tenant) : [query.owner]
    const lists = await Promise.all(
      owners.map(async (owner) => {
        const bounds = [`(${toMs}`, fromMs] as const
        const flat = await link.ask((client) =>
          order === 'newest'
            ? client.zrevrangebyscore(keys.traces(tenant, owner), ...bounds, 'WITHSCORES', 'LIMIT', 0, MAX_SCAN)
            : client.zrangebyscore(keys.changes(tenant, owner), fromMs, '+inf', 'WITHSCORES', 'LIMIT', 0, MAX_SCAN),
        )
        return toEntries(flat, tenant, owner)
      }),
    )
    const sign = order === 'newest' ? -1 : 1
    const entries = lists.flat().sort((left, right) => sign * (left.atMs - right.atMs) || compare(left, right))
    const cut = lists.filter(({ length }) => length === MAX_SCAN)
    if (cut.length === 0) return { entries, isCut: false }
    // A list that was cut goes on behind its last entry: what the others have there comes with a later page.
    const edges = cut.map((list) => sign * (list.at(-1)?.atMs ?? 0))
    const sure = entries.filter(({ atMs }) => sign * atMs < Math.min(...edges))
    return { entries: sure.length > 0 ? sure : entries, isCut: true }
  }

  const pageOf = async (query: TraceQuery, { entries, isCut }: Scan): Promise<Page<TraceSummary>> => {
    const { cursor } = query
    const items: TraceSummary[] = []
    // The scan begins at the cursor's instant; of that instant's traces those up to the cursor were shown.
    const rest = cursor === undefined ? entries : entries.filter((entry) => !isShown(entry, cursor))
    let at = 0
    for (; at < rest.length && at < MAX_SCAN && items.length < query.limit; at++) {
      const entry = rest[at]
      const summary = entry === undefined ? null : await summaryOf(entry.trace)
      if (summary !== null && matches(summary, query.filter)) items.push(summary)
    }
    const last = rest[at - 1]
    const isMore = isCut || at < rest.length
    return { items, ...(isMore && last !== undefined ? { nextCursor: cursorOf(last) } : {}) }
  }

  return {
    async newest(query) {
      const after = query.cursor === undefined ? Number.POSITIVE_INFINITY : instantOf(query.cursor) + 1
      const toMs = Math.min(query.filter.toMs ?? Number.MAX_SAFE_INTEGER, after)
      return pageOf(query, await scan(query, 'newest', query.filter.fromMs ?? 0, toMs))
    },
    async changedSince(query, sinceMs) {
      const fromMs = query.cursor === undefined ? sinceMs : instantOf(query.cursor)
      return pageOf(query, await scan(query, 'changed', fromMs, Number.MAX_SAFE_INTEGER))
    },
    async ownersOf(tenant, traceId) {
      const owners = await ownersIn(tenant)
      const present = await Promise.all(
        owners.map((owner) => link.ask((client) => client.exists(keys.trace({ tenant, owner, traceId }).trace))),
      )
      return owners.filter((_, at) => present[at] === 1)
    },
  }
}

function toEntries(flat: readonly string[], tenant: string, owner: string): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at < flat.length; at += 2) {
    entries.push({ trace: { tenant, owner, traceId: flat[at] ?? '' }, atMs: Number(flat[at + 1]) })
  }
  return entries
}

function matches(trace: TraceSummary, { state, tool, caller }: TraceFilter): boolean {
  return (
    (state === undefined || trace.state === state) &&
    (tool === undefined || trace.rootTool === tool) &&
    (caller === undefined || trace.caller === caller)
  )
}

function compare(left: Entry, right: Entry): number {
  return cursorOf(left) < cursorOf(right) ? -1 : 1
}

/** The place of a trace in a list: opaque to readers. */
function cursorOf({ trace, atMs }: Entry): string {
  return `${atMs}/${trace.owner}/${trace.traceId}`
}

function instantOf(cursor: string): number {
  return Number(cursor.split('/')[0])
}

function isShown(entry: Entry, cursor: string): boolean {
  return entry.atMs === instantOf(cursor) && cursorOf(entry) <= cursor
}
