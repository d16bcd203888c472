import type { KeptCall, TraceFacts, TraceRef } from '@synchub/core'
import type { CallState } from '@synchub/protocol'
import type { TraceKeys } from '../connection/keys.js'
import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'
import { sequenceOf } from '../trace/log-entry.js'

/** A call as it is read for retention, with the event that ended it. */
export interface StoredCall extends KeptCall {
  /** Number of the event that ended it; undefined while it is open. */
  readonly endSeq: number | undefined
}

const FIELDS = [
  'callId',
  'state',
  'mode',
  'createdAtMs',
  'endedAtMs',
  'taskTtlMs',
  'keyDigest',
  'endId',
  'endCode',
  'resolvedAtMs',
] as const

/** Calls that are read in one step; most traces have fewer. */
const CALLS_AT_ONCE = 500

/** Reads what retention looks at; null where there is no such trace. */
export async function readFacts(link: RedisLink, trace: TraceRef): Promise<TraceFacts | null> {
  const keys = link.keys.trace(trace)
  const reply = await link.run(SCRIPTS.readTrace, [keys.trace, keys.calls], [keys.callPrefix, CALLS_AT_ONCE, ...FIELDS])
  const [flat, ...rows] = reply as [string[] | undefined, ...(string | null)[][]]
  if (flat === undefined) return null
  const number = (name: string) => Number(flat[flat.indexOf(name) + 1] ?? 0)
  const calls = rows.map(decodeRow)
  if (rows.length === CALLS_AT_ONCE) calls.push(...(await readAll(link, keys, CALLS_AT_ONCE)))
  return { lastSeq: number('seq'), openCalls: number('open'), endedAtMs: number('atMs'), calls }
}

/** The calls of a trace in the order in which they were made, from the `from`th on, `CALLS_AT_ONCE` at a time. */
export async function readCalls(link: RedisLink, keys: TraceKeys, from: number): Promise<StoredCall[]> {
  const callIds = await link.ask((client) => client.zrange(keys.calls, from, String(from + CALLS_AT_ONCE - 1)))
  const rows = await Promise.all(
    callIds.map((callId) => link.ask((client) => client.hmget(keys.call(callId), ...FIELDS))),
  )
  return rows.map(decodeRow)
}

async function readAll(link: RedisLink, keys: TraceKeys, from: number): Promise<StoredCall[]> {
  const calls: StoredCall[] = []
  for (let at = from; ; at += CALLS_AT_ONCE) {
    const page = await readCalls(link, keys, at)
    calls.push(...page)
    if (page.length < CALLS_AT_ONCE) return calls
  }
}

function decodeRow(row: readonly (string | null)[]): StoredCall {
  const value = (name: (typeof FIELDS)[number]) => row[FIELDS.indexOf(name)] ?? undefined
  const [taskTtlMs, keyDigest, endId, endCode] = [
    value('taskTtlMs'),
    value('keyDigest'),
    value('endId'),
    value('endCode'),
  ]
  return {
    callId: value('callId') ?? '',
    state: (value('state') ?? 'received') as CallState,
    mode: value('mode') === 'direct' ? 'direct' : 'queued',
    createdAtMs: Number(value('createdAtMs') ?? 0),
    endedAtMs: Number(value('endedAtMs') ?? 0),
    endSeq: endId === undefined ? undefined : (sequenceOf(endId) ?? undefined),
    ...(taskTtlMs === undefined ? {} : { taskTtlMs: Number(taskTtlMs) }),
    ...(keyDigest === undefined ? {} : { keyDigest }),
    ...(endCode === undefined ? {} : { endCode }),
    isResolved: value('resolvedAtMs') !== undefined,
  }
}
