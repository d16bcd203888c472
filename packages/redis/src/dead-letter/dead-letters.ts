import { type CallLog, type CallRecord, isDeadLetter, type TraceRef } from '@synchub/core'
import type { Page } from '@synchub/protocol'
import type { RedisClient, RedisLink } from '../connection/redis-link.js'

/** Which dead letters to list, the last that ended first. */
export interface DeadLetterQuery {
  readonly tenant: string
  /** Those of one owner; of the whole tenant where absent. */
  readonly owner?: string
  /** Those that were resolved, or those that still wait for a person. */
  readonly isResolved: boolean
  readonly state?: CallRecord['state']
  readonly agent?: string
  readonly tool?: string
  readonly caller?: string
  /** Bounds of the instant of their end, in ms: from, and before. */
  readonly fromMs?: number
  readonly toMs?: number
  readonly limit: number
  readonly cursor?: string
}

/** The lists of calls that were given up; which calls they are is said by the calls' records, and the lists follow. */
export interface DeadLetters {
  page(query: DeadLetterQuery): Promise<Page<CallRecord>>
  /** Moves a call that was resolved to the others that were. */
  settle(call: Pick<CallRecord, 'callId' | 'trace'>, endedAtMs: number): Promise<void>
}

const CHUNK = 100
/** Most entries that one page looks at: a filter that fits few says where to go on. */
const MOST_LOOKED_AT = 2000

interface Entry {
  readonly callId: string
  readonly endedAtMs: number
}

/** Puts calls among the dead letters, in the lists of tenant and owner; part of what follows the end of a call. */
export function listDeadLetters(
  client: RedisClient,
  keys: RedisLink['keys'],
  calls: readonly DeadCall[],
): Promise<unknown>[] {
  return calls.flatMap(({ callId, trace, nowMs }) =>
    listsOf(keys, trace, 'open').map((list) => client.zadd(list, 'NX', nowMs, callId)),
  )
}

/** Takes calls from the lists whose trace is removed. */
export function unlistDeadLetters(
  client: RedisClient,
  keys: RedisLink['keys'],
  trace: TraceRef,
  callIds: readonly string[],
): Promise<unknown>[] {
  const lists = callIds.length === 0 ? [] : [...listsOf(keys, trace, 'open'), ...listsOf(keys, trace, 'resolved')]
  return lists.map((list) => client.zrem(list, ...callIds))
}

/** A call that has just ended as a dead letter. */
export interface DeadCall {
  readonly callId: string
  readonly trace: TraceRef
  readonly nowMs: number
}

function listsOf(keys: RedisLink['keys'], { tenant, owner }: TraceRef, kind: 'open' | 'resolved'): string[] {
  return [keys.deadLetters(kind, tenant), keys.deadLetters(kind, tenant, owner)]
}

/** Dead letters over Redis. */
export function createDeadLetters({ keys, ask }: RedisLink, log: CallLog): DeadLetters {
  const settle: DeadLetters['settle'] = async ({ callId, trace }, endedAtMs) => {
    await ask((client) =>
      Promise.all([
        ...listsOf(keys, trace, 'resolved').map((list) => client.zadd(list, endedAtMs, callId)),
        ...listsOf(keys, trace, 'open').map((list) => client.zrem(list, callId)),
      ]),
    )
  }

  /** The call of an entry; null where the list is behind the record, and is corrected. */
  const check = async ({ callId, endedAtMs }: Entry, list: string, isResolved: boolean) => {
    const call = await log.find(callId)
    if (call === null || !isDeadLetter(call)) {
      // Its trace is gone, as traces go by their age.
      await ask((client) => client.zrem(list, callId))
      return null
    }
    if ((call.resolution !== undefined) === isResolved) return call
    // Whoever resolved it died before it could move it.
    await settle(call, endedAtMs)
    return null
  }

  return {
    settle,
    async page(query) {
      const { tenant, owner, isResolved, limit } = query
      const list = keys.deadLetters(isResolved ? 'resolved' : 'open', tenant, owner)
      const items: CallRecord[] = []
      let last = query.cursor === undefined ? undefined : parseCursor(query.cursor)
      for (let looked = 0; ; looked += CHUNK) {
        const entries = await readAfter(list, last, query)
        for (const entry of entries) {
          const call = await check(entry, list, isResolved)
          last = entry
          if (call === null || !matches(call, query)) continue
          items.push(call)
          if (items.length === limit) return pageOf(items, last)
        }
        if (entries.length === 0) return { items }
        if (looked + CHUNK >= MOST_LOOKED_AT) return pageOf(items, last)
      }
    },
  }

  async function readAfter(list: string, last: Entry | undefined, { fromMs, toMs }: DeadLetterQuery): Promise<Entry[]> {
    const top = last?.endedAtMs ?? (toMs === undefined ? '+inf' : `(${toMs}`)
    for (let offset = 0; ; offset += CHUNK) {
      const flat = await ask((client) =>
        client.zrevrangebyscore(list, top, fromMs ?? '-inf', 'WITHSCORES', 'LIMIT', offset, CHUNK),
      )
      const entries = toEntries(flat).filter((entry) => last === undefined || isAfter(entry, last))
      // Those of the same instant that an earlier page has shown already may fill a whole chunk.
      if (entries.length > 0 || flat.length < 2 * CHUNK) return entries
    }
  }
}

function isAfter({ endedAtMs, callId }: Entry, last: Entry): boolean {
  return endedAtMs < last.endedAtMs || (endedAtMs === last.endedAtMs && callId < last.callId)
}

function matches(call: CallRecord, { state, agent, tool, caller }: DeadLetterQuery): boolean {
  return (
    (state === undefined || call.state === state) &&
    (agent === undefined || call.agent === agent) &&
    (tool === undefined || call.tool === tool) &&
    (caller === undefined || call.caller === caller)
  )
}

function pageOf(items: readonly CallRecord[], last: Entry | undefined): Page<CallRecord> {
  return last === undefined ? { items } : { items, nextCursor: `${last.endedAtMs}/${last.callId}` }
}

function parseCursor(text: string): Entry {
  const [endedAtMs = '', callId = ''] = text.split('/')
  return { endedAtMs: Number(endedAtMs), callId }
}

function toEntries(flat: readonly string[]): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at < flat.length; at += 2) entries.push({ callId: flat[at] ?? '', endedAtMs: Number(flat[at + 1]) })
  return entries
}
