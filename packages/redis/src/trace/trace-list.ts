import type { Clock, TraceRef } from '@synchub/core'
import { HubError, type Page, type TraceState, type TraceSummary } from '@synchub/protocol'
import type { RedisLink } from '../connection/redis-link.js'
import { encodeTrace } from '../index/call-index.js'
import { toTraceSummary } from './trace-view.js'

/** Which traces are wanted. */
export interface TraceFilter {
  /** Any of these. */
  readonly states?: readonly TraceState[]
  readonly tool?: string
  readonly caller?: string
  /** Agent of the first call. */
  readonly agent?: string
  /** What the traceId, tool, agent, caller or owner holds, whatever its case. */
  readonly text?: string
  /** Made at or after this instant, in ms. */
  readonly fromMs?: number
  /** Made before this instant, in ms. */
  readonly toMs?: number
}

/** A page of the list of traces. */
export interface TraceQuery {
  readonly tenant: string
  /** Owner whose traces are listed; those of all owners of the tenant where absent. */
  readonly owner?: string
  readonly filter: TraceFilter
  readonly limit: number
  /** `nextCursor` of the page before. */
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

/** Entries that are read of each owner's index at a time. */
const CHUNK = 100

/** An entry this old (ms) that stands for no trace was left behind by a process that died before it recorded the trace. */
const LEFT_BEHIND_MS = 60_000

type Order = 'newest' | 'changed'

/** A place in a list: by instant, then by traceId as the sorted sets order equal instants, then by owner. */
interface Place {
  readonly atMs: number
  readonly traceId: string
  readonly owner: string
}

/** A part of a list, and whether more follows it. */
interface Part {
  readonly places: readonly Place[]
  readonly isCut: boolean
}

/** The lists of traces over Redis: sorted sets of each owner, merged for readers of a whole tenant. */
export function createTraceList(link: RedisLink, clock: Clock): TraceList {
  const { keys } = link
  const ownersIn = (tenant: string) => link.ask((client) => client.smembers(keys.owners(tenant)))

  const summaryOf = async (trace: TraceRef) => {
    const fields = await link.ask((client) => client.hgetall(keys.trace(trace).trace))
    const flat = Object.entries(fields).flat()
    return flat.length === 0 ? null : toTraceSummary(trace, flat)
  }

  /**
   * Has retention look at entries that stand for nothing, before all that is in order: it takes them from the lists, and puts those
   * back whose trace is recorded at that very moment. A store that is full takes no such note and answers all the same: whoever
   * lists them once it has room finds them again.
   */
  const leaveToRetention = async (tenant: string, places: readonly Place[]) => {
    const old = places.filter(({ atMs }) => atMs < clock.now() - LEFT_BEHIND_MS)
    if (old.length === 0) return
    const first = old.flatMap(({ owner, traceId }) => [0, encodeTrace({ tenant, owner, traceId })])
    try {
      await link.ask((client) => client.zadd(keys.endedTraces, 'NX', ...first))
    } catch (thrown) {
      if (!(thrown instanceof HubError && thrown.code === 'STORE_FULL')) throw thrown
    }
  }

  /** What follows `after` in the list of one owner. */
  const readOwner = async (scan: Scan, owner: string, after: Place | null): Promise<Part> => {
    const { tenant, order, fromMs, toMs } = scan
    const places: Place[] = []
    for (let offset = 0; ; offset += CHUNK) {
      const flat = await link.ask((client) =>
        order === 'newest'
          ? client.zrevrangebyscore(
              keys.traces(tenant, owner),
              after === null || after.atMs >= toMs ? `(${toMs}` : after.atMs,
              fromMs,
              'WITHSCORES',
              'LIMIT',
              offset,
              CHUNK,
            )
          : client.zrangebyscore(
              keys.changes(tenant, owner),
              after?.atMs ?? fromMs,
              '+inf',
              'WITHSCORES',
              'LIMIT',
              offset,
              CHUNK,
            ),
      )
      const chunk = toPlaces(flat, owner)
      // The range begins at the instant of `after`, of which some places come before it.
      places.push(...chunk.filter((place) => after === null || compare(order, after, place) < 0))
      if (chunk.length < CHUNK) return { places, isCut: false }
      if (places.length > 0) return { places, isCut: true }
    }
  }

  /** What follows `after` in the lists of all owners together. */
  const readMerged = async (scan: Scan, after: Place | null): Promise<Part> => {
    const parts = await Promise.all(scan.owners.map((owner) => readOwner(scan, owner, after)))
    const places = parts.flatMap((part) => part.places).toSorted((left, right) => compare(scan.order, left, right))
    const edges = parts.flatMap(({ places: own, isCut }) => (isCut ? own.slice(-1) : []))
    // A list that was cut goes on behind its last place: what the others have there comes later.
    const sure = places.filter((place) => edges.every((edge) => compare(scan.order, place, edge) <= 0))
    return { places: sure, isCut: edges.length > 0 }
  }

  const readPage = async (query: TraceQuery, scan: Scan): Promise<Page<TraceSummary>> => {
    const { tenant, limit, filter } = query
    const items: TraceSummary[] = []
    let last = query.cursor === undefined ? null : parseCursor(query.cursor)
    for (let looked = 0; ; ) {
      const { places, isCut } = await readMerged(scan, last)
      for (let at = 0; at < places.length; ) {
        const some = places.slice(at, at + limit - items.length)
        const found = await Promise.all(some.map(({ owner, traceId }) => summaryOf({ tenant, owner, traceId })))
        await leaveToRetention(
          tenant,
          some.filter((_, index) => found[index] === null),
        )
        items.push(...found.filter((trace) => trace !== null).filter((trace) => matches(trace, filter)))
        at += some.length
        last = some.at(-1) ?? last
        const isMore = isCut || at < places.length
        if (items.length === limit) return { items, ...(isMore && last !== null ? { nextCursor: toCursor(last) } : {}) }
      }
      looked += places.length
      if (!isCut) return { items }
      if (looked >= MAX_SCAN && last !== null) return { items, nextCursor: toCursor(last) }
    }
  }

  const begin = async ({ tenant, owner, filter }: TraceQuery, order: Order, fromMs: number): Promise<Scan> => {
    const owners = owner === undefined ? await ownersIn(tenant) : [owner]
    return { tenant, owners, order, fromMs, toMs: filter.toMs ?? Number.MAX_SAFE_INTEGER }
  }

  return {
    newest: async (query) => readPage(query, await begin(query, 'newest', query.filter.fromMs ?? 0)),
    changedSince: async (query, sinceMs) => readPage(query, await begin(query, 'changed', sinceMs)),
    async ownersOf(tenant, traceId) {
      const owners = await ownersIn(tenant)
      const present = await Promise.all(
        owners.map((owner) => link.ask((client) => client.exists(keys.trace({ tenant, owner, traceId }).trace))),
      )
      return owners.filter((_, at) => present[at] === 1)
    },
  }
}

/** Whose lists are read, and between which instants. */
interface Scan {
  readonly tenant: string
  readonly owners: readonly string[]
  readonly order: Order
  readonly fromMs: number
  readonly toMs: number
}

function toPlaces(flat: readonly string[], owner: string): Place[] {
  const places: Place[] = []
  for (let at = 0; at < flat.length; at += 2) {
    places.push({ traceId: flat[at] ?? '', owner, atMs: Number(flat[at + 1]) })
  }
  return places
}

function matches(trace: TraceSummary, filter: TraceFilter): boolean {
  const { states, tool, caller, agent, text, fromMs, toMs } = filter
  const createdAtMs = Date.parse(trace.createdAt)
  return (
    (states === undefined || states.includes(trace.state)) &&
    (tool === undefined || trace.rootTool === tool) &&
    (caller === undefined || trace.caller === caller) &&
    (agent === undefined || trace.rootAgent === agent) &&
    (text === undefined || holdsText(trace, text.toLowerCase())) &&
    (fromMs === undefined || createdAtMs >= fromMs) &&
    (toMs === undefined || createdAtMs < toMs)
  )
}

function holdsText({ traceId, rootTool, rootAgent, caller, owner }: TraceSummary, text: string): boolean {
  return [traceId, rootTool, rootAgent, caller, owner].some((value) => value.toLowerCase().includes(text))
}

/** Negative where `left` comes before `right` in the list. */
function compare(order: Order, left: Place, right: Place): number {
  const rising =
    left.atMs - right.atMs || compareText(left.traceId, right.traceId) || compareText(left.owner, right.owner)
  return order === 'newest' ? -rising : rising
}

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Opaque to readers. */
function toCursor({ atMs, owner, traceId }: Place): string {
  return `${atMs}/${owner}/${traceId}`
}

/** @throws HubError INVALID_PARAMS when `cursor` is not one of ours */
function parseCursor(cursor: string): Place {
  const [atMs = '', owner = '', traceId = ''] = cursor.split('/')
  if (!/^\d{1,15}$/.test(atMs)) {
    throw new HubError('INVALID_PARAMS', 'the cursor is not one of this list', {
      path: 'cursor',
      expected: 'nextCursor of the page before',
    })
  }
  return { atMs: Number(atMs), owner, traceId }
}
