import type { TraceRef } from '@synchub/core'
import type { RedisLink } from '../connection/redis-link.js'
import { byOwner, encodeTrace } from './call-index.js'

/** What retention does to the entries that find calls and traces. */
export interface IndexUpkeep {
  /** Puts traces into the lists that are in none. */
  list(traces: readonly TraceRef[], nowMs: number): Promise<void>
  /** Takes traces from the lists. */
  unlist(traces: readonly TraceRef[]): Promise<void>
  /** Calls are found by their id no more. */
  forget(callIds: readonly string[]): Promise<void>
  /** Calls that were forgotten are found again. */
  restore(callIds: readonly string[], trace: TraceRef): Promise<void>
}

/** Keys that one command removes. */
const KEYS_AT_ONCE = 500

/** The upkeep of the index over Redis. */
export function createIndexUpkeep(link: RedisLink): IndexUpkeep {
  const { keys } = link
  const owners = (traces: readonly TraceRef[]) =>
    byOwner(traces.map((trace) => ({ trace }))).map(
      ([{ tenant, owner }, own]) => [tenant, owner, own.map(({ trace }) => trace.traceId)] as const,
    )
  return {
    async list(traces, nowMs) {
      await link.ask((client) =>
        Promise.all(
          owners(traces).flatMap(([tenant, owner, traceIds]) => [
            client.zadd(keys.traces(tenant, owner), 'NX', ...traceIds.flatMap((traceId) => [nowMs, traceId])),
            client.zadd(keys.changes(tenant, owner), 'GT', ...traceIds.flatMap((traceId) => [nowMs, traceId])),
          ]),
        ),
      )
    },
    async unlist(traces) {
      await link.ask((client) =>
        Promise.all(
          owners(traces).flatMap(([tenant, owner, traceIds]) => [
            client.zrem(keys.traces(tenant, owner), ...traceIds),
            client.zrem(keys.changes(tenant, owner), ...traceIds),
          ]),
        ),
      )
    },
    async forget(callIds) {
      for (let at = 0; at < callIds.length; at += KEYS_AT_ONCE) {
        const some = callIds.slice(at, at + KEYS_AT_ONCE)
        // One key a command: in a cluster each is on a node of its own.
        await link.ask((client) => Promise.all(some.map((callId) => client.unlink(keys.callIndex(callId)))))
      }
    },
    async restore(callIds, trace) {
      const text = encodeTrace(trace)
      await link.ask((client) => Promise.all(callIds.map((callId) => client.set(keys.callIndex(callId), text))))
    },
  }
}
