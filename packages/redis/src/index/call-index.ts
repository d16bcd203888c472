import type { Clock, NewCall, TraceRef } from '@synchub/core'
import type { RedisLink } from '../connection/redis-link.js'

/** How long after its record a sweep first looks at a call, in ms. */
const FIRST_LOOK_MS = 3000

/**
 * What finds calls and traces: callId -> trace, the lists, the open calls. Written before the call is recorded, so that no
 * recorded call is ever unfindable; an entry whose call was never recorded is harmless (design section 6).
 */
export interface CallIndex {
  /** Makes a call findable that is about to be recorded; `ended` calls (refused) are not put among the open ones. */
  announce(call: NewCall, ended: boolean): Promise<void>
  /** Takes a call that ended from the open ones and moves its trace up in the list of changes. */
  close(callId: string, trace: TraceRef, nowMs: number): Promise<void>
  traceOf(callId: string): Promise<TraceRef | null>
}

/** The index over Redis. Entries of one process live as long as their traces. */
export function createCallIndex(link: RedisLink, clock: Clock): CallIndex {
  const { keys } = link
  return {
    async announce({ callId, trace }, ended) {
      const now = clock.now()
      const { tenant, owner, traceId } = trace
      await link.ask((client) =>
        Promise.all([
          client.set(keys.callIndex(callId), encodeTrace(trace)),
          client.sadd(keys.owners(tenant), owner),
          client.zadd(keys.traces(tenant, owner), 'NX', now, traceId),
          client.zadd(keys.changes(tenant, owner), 'GT', now, traceId),
          ...(ended ? [] : [client.zadd(keys.openCalls, now + FIRST_LOOK_MS, callId)]),
        ]),
      )
    },
    async close(callId, { tenant, owner, traceId }, nowMs) {
      await link.ask((client) =>
        Promise.all([
          // GT: a writer whose clock is behind must not hide the change from those who ask what changed since.
          client.zadd(keys.changes(tenant, owner), 'GT', nowMs, traceId),
          client.zrem(keys.openCalls, callId),
        ]),
      )
    },
    async traceOf(callId) {
      const text = await link.ask((client) => client.get(keys.callIndex(callId)))
      return text === null ? null : decodeTrace(text)
    },
  }
}

/** A trace as text: tenant and owner hold no slash, and the traceId comes last. */
export function encodeTrace({ tenant, owner, traceId }: TraceRef): string {
  return `${tenant}/${owner}/${traceId}`
}

/** Reads what {@link encodeTrace} wrote. */
export function decodeTrace(text: string): TraceRef {
  const [tenant = '', owner = '', traceId = ''] = text.split('/')
  return { tenant, owner, traceId }
}
