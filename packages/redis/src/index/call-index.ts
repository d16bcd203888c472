import type { Clock, NewCall, TraceRef } from '@synchub/core'
import type { RedisClient, RedisLink } from '../connection/redis-link.js'
import { listDeadLetters } from '../dead-letter/dead-letters.js'
import type { HeldCalls } from '../quota/held-calls.js'
import { RecentOwners } from './recent-owners.js'
import { gatherTurn } from './turn-gathering.js'

/** How long after its record a sweep first looks at a call, in ms. */
const FIRST_LOOK_MS = 3000

/**
 * What finds calls and traces: callId -> trace, the lists, the open calls. Written before the call is recorded, so that no
 * recorded call is ever unfindable; an entry whose call was never recorded is harmless (design section 6), and goes once a sweep
 * has found it among the open calls, where each call stands until the end of its record is noted.
 */
export interface CallIndex {
  /** Makes a call findable that is about to be recorded. */
  announce(call: NewCall): Promise<void>
  /** Takes a call that ended from the open ones, moves its trace up in the list of changes, puts it in the order in which traces go, and a dead letter among those. */
  close(callId: string, trace: TraceRef, nowMs: number, isDeadLetter: boolean): Promise<void>
  /** Takes a call from the lists that was never recorded and never will be; its trace, where it has no other call, goes with the ended ones. */
  abandon(callId: string, trace: TraceRef | null, nowMs: number): Promise<void>
  traceOf(callId: string): Promise<TraceRef | null>
  /** Notes that a log has grown by some thousand events: it may have to be cut. */
  noteLength(trace: TraceRef): Promise<void>
}

/** When something of a trace changed. */
interface Place {
  readonly trace: TraceRef
  readonly nowMs: number
}

interface Announced extends Place {
  readonly callId: string
}

interface Closed extends Announced {
  readonly isDeadLetter: boolean
}

/**
 * The index over Redis, of which the entries of one turn are written at once. Entries live as long as their traces.
 * @param held - told of calls that have ended, where open calls are counted
 */
export function createCallIndex(link: RedisLink, clock: Clock, held?: HeldCalls): CallIndex {
  const { keys } = link
  const owners = new RecentOwners(clock)
  /** GT: a writer whose clock is behind must not hide the change from those who ask what changed since. */
  const moveUp = (client: RedisClient, { tenant, owner }: TraceRef, places: readonly Place[]) =>
    client.zadd(keys.changes(tenant, owner), 'GT', ...places.flatMap(placeOf))

  /** GT: each end of a call makes its trace younger. */
  const putInOrder = (client: RedisClient, places: readonly Place[]) =>
    client.zadd(keys.endedTraces, 'GT', ...places.flatMap(({ nowMs, trace }) => [nowMs, encodeTrace(trace)]))

  const announceAll = (calls: readonly Announced[]) =>
    link.ask(async (client) => {
      const unlisted = byOwner(calls).filter(([trace]) => owners.isDue(trace))
      await Promise.all([
        // First of all: of a write that was cut off in the middle, too, a sweep finds what there is.
        client.zadd(keys.openCalls, ...calls.flatMap(({ nowMs, callId }) => [nowMs + FIRST_LOOK_MS, callId])),
        ...calls.map(({ callId, trace }) => client.set(keys.callIndex(callId), encodeTrace(trace))),
        ...unlisted.map(([trace]) => client.sadd(keys.owners(trace.tenant), trace.owner)),
        ...byOwner(calls).flatMap(([trace, own]) => [
          client.zadd(keys.traces(trace.tenant, trace.owner), 'NX', ...own.flatMap(placeOf)),
          moveUp(client, trace, own),
        ]),
      ])
      for (const [trace] of unlisted) owners.note(trace)
    })

  const closeAll = (calls: readonly Closed[]) =>
    link.ask(async (client) => {
      await Promise.all([
        ...byOwner(calls).map(([trace, own]) => moveUp(client, trace, own)),
        client.zrem(keys.openCalls, ...calls.map(({ callId }) => callId)),
        putInOrder(client, calls),
        ...(held?.drop(client, calls) ?? []),
        ...listDeadLetters(
          client,
          keys,
          calls.filter(({ isDeadLetter }) => isDeadLetter),
        ),
      ])
    })

  const announce = gatherTurn(announceAll)
  const close = gatherTurn(closeAll)
  return {
    announce: ({ callId, trace }) => announce({ callId, trace, nowMs: clock.now() }),
    close: (callId, trace, nowMs, isDeadLetter) => close({ callId, trace, nowMs, isDeadLetter }),
    async abandon(callId, trace, nowMs) {
      await link.ask((client) =>
        Promise.all([
          client.zrem(keys.openCalls, callId),
          client.unlink(keys.callIndex(callId)),
          ...(trace === null ? [] : [putInOrder(client, [{ trace, nowMs }])]),
          ...(trace === null ? [] : (held?.drop(client, [{ callId, trace }]) ?? [])),
        ]),
      )
    },
    async traceOf(callId) {
      const text = await link.ask((client) => client.get(keys.callIndex(callId)))
      return text === null ? null : decodeTrace(text)
    },
    async noteLength(trace) {
      await link.ask((client) => client.sadd(keys.longTraces, encodeTrace(trace)))
    },
  }
}

function placeOf({ trace, nowMs }: Place): [number, string] {
  return [nowMs, trace.traceId]
}

/** Puts together what stands in the lists of one owner, under a trace of that owner. */
export function byOwner<Item extends { readonly trace: TraceRef }>(items: readonly Item[]): [TraceRef, Item[]][] {
  const owners = new Map<string, [TraceRef, Item[]]>()
  for (const item of items) {
    const name = `${item.trace.tenant}/${item.trace.owner}`
    const known = owners.get(name)
    if (known === undefined) owners.set(name, [item.trace, [item]])
    else known[1].push(item)
  }
  return [...owners.values()]
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
