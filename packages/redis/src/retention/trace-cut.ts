import type { TraceCut, TraceRef } from '@synchub/core'
import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'
import type { IndexUpkeep } from '../index/index-upkeep.js'
import { readCalls, type StoredCall } from './trace-facts.js'

/** A log is cut once it is this much too long: many small cuts cost more than one. */
const SLACK_EVENTS = 1024
/** Events of one cut, so that no step keeps others waiting. */
const EVENTS_AT_ONCE = 10_000
/** Most calls that one cut takes along; it then cuts fewer events. */
const CALLS_AT_ONCE = 500
/** Calls that are looked through for those that ended long ago. */
const MAX_CALLS = 20_000

/** Finds what is to be cut off a log so that it keeps its last `maxEvents` events; null where that is too little, or there is no log. */
export async function findCut(link: RedisLink, trace: TraceRef, maxEvents: number): Promise<TraceCut | null> {
  const keys = link.keys.trace(trace)
  const [seq, first] = await link.ask((client) => client.hmget(keys.trace, 'seq', 'firstSeq'))
  const firstSeq = Number(first ?? 1)
  const extra = Number(seq ?? 0) - firstSeq + 1 - maxEvents
  if (extra < SLACK_EVENTS) return null
  const wanted = firstSeq + Math.min(extra, EVENTS_AT_ONCE)
  const ended = await callsEndedBefore(wanted, (from) => readCalls(link, keys, from))
  const next = ended[CALLS_AT_ONCE]
  return { firstSeq: next?.endSeq ?? wanted, calls: ended.slice(0, CALLS_AT_ONCE) }
}

/** Cuts the events off, and the calls that ended in them; gives the number of events. Calls that go on stay, without their beginning. */
export async function cutTrace(
  link: RedisLink,
  index: IndexUpkeep,
  trace: TraceRef,
  { firstSeq, calls }: TraceCut,
): Promise<number> {
  const keys = link.keys.trace(trace)
  const callIds = calls.map(({ callId }) => callId)
  const rest = callIds.flatMap((callId) => [keys.call(callId), keys.result(callId), keys.children(callId)])
  await index.forget(callIds)
  const args = [firstSeq, callIds.length, ...callIds, ...rest]
  return Number(await link.run(SCRIPTS.cutTrace, [keys.trace, keys.log, keys.calls], args))
}

async function callsEndedBefore(seq: number, read: (from: number) => Promise<StoredCall[]>): Promise<StoredCall[]> {
  const found: StoredCall[] = []
  for (let from = 0; from < MAX_CALLS; ) {
    const page = await read(from)
    if (page.length === 0) break
    found.push(...page.filter(({ endSeq }) => endSeq !== undefined && endSeq < seq))
    from += page.length
  }
  return found.toSorted((left, right) => (left.endSeq ?? 0) - (right.endSeq ?? 0))
}
