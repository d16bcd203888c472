import type { TraceRef } from '@synchub/core'
import type { ResetReason, TraceView } from '@synchub/protocol'
import { CALL_FIELDS } from '../call/call-fields.js'
import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'
import { decodeEntry, type LogEntry, sequenceOf, type TraceHead } from './log-entry.js'
import { toTraceView } from './trace-view.js'

/** Most calls that a snapshot shows. */
const MAX_SNAPSHOT_CALLS = 1000

/** Reads the logs of traces. */
export interface TraceReader {
  /** The end of a log; null where there is no such trace. */
  head(trace: TraceRef): Promise<TraceHead | null>
  /** Entries after `id` (from the start when null), in order. */
  readAfter(trace: TraceRef, id: string | null, limit: number): Promise<readonly LogEntry[]>
  /** Entries from the entry `id` on, itself the first; null when that very entry is not there. */
  readFrom(trace: TraceRef, id: string, limit: number): Promise<readonly LogEntry[] | null>
  /** Entries after the entry `id`, in order; null when that very entry is not there any more. One step, unlike judging first. */
  readOn(trace: TraceRef, id: string, limit: number): Promise<readonly LogEntry[] | null>
  /** Why a reader cannot go on after this cursor; null when the very entry exists (invariant 2). */
  judgeCursor(trace: TraceRef, id: string): Promise<ResetReason | null>
  /** The trace at one instant, with the cursor that fits it; null where there is none. */
  snapshot(trace: TraceRef): Promise<TraceView | null>
}

/** The trace logs over Redis: one stream per trace. */
export function createTraceReader(link: RedisLink): TraceReader {
  const keysOf = (trace: TraceRef) => link.keys.trace(trace)

  const head = async (trace: TraceRef): Promise<TraceHead | null> => {
    const names = ['seq', 'id', 'open', 'atMs']
    const [seq, id, open, atMs] = await link.ask((client) => client.hmget(keysOf(trace).trace, ...names))
    if (seq == null || id == null) return null
    return { seq: Number(seq), id, openCalls: Number(open), atMs: Number(atMs) }
  }

  const readAfter = async (trace: TraceRef, id: string | null, limit: number) => {
    const start = id === null ? '-' : `(${id}`
    const entries = await link.ask((client) => client.xrange(keysOf(trace).log, start, '+', 'COUNT', limit))
    return entries.map(decodeEntry)
  }

  const readFrom = async (trace: TraceRef, id: string, limit: number) => {
    if (sequenceOf(id) === null) return null
    const found = await link.ask((client) => client.xrange(keysOf(trace).log, id, '+', 'COUNT', limit))
    const entries = found.map(decodeEntry)
    return entries[0]?.id === id ? entries : null
  }

  return {
    head,
    readAfter,
    readFrom,
    async readOn(trace, id, limit) {
      const entries = await readFrom(trace, id, limit + 1)
      return entries?.slice(1) ?? null
    },
    async judgeCursor(trace, id) {
      const seq = sequenceOf(id)
      if (seq === null) return 'invalid'
      const log = keysOf(trace).log
      const [entry] = await link.ask((client) => client.xrange(log, id, id, 'COUNT', 1))
      if (entry !== undefined) return null
      const end = await head(trace)
      if (end === null || seq > end.seq) return 'future'
      const [first] = await readAfter(trace, null, 1)
      return first === undefined || seq < first.seq ? 'trimmed' : 'replaced'
    },
    async snapshot(trace) {
      const keys = keysOf(trace)
      const reply = await link.run(
        SCRIPTS.readTrace,
        [keys.trace, keys.calls],
        [keys.callPrefix, MAX_SNAPSHOT_CALLS, ...CALL_FIELDS],
      )
      const [fields, ...calls] = reply as [string[] | undefined, ...(string | null)[][]]
      return fields === undefined ? null : toTraceView(trace, fields, calls)
    },
  }
}
