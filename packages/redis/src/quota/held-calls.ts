import type { Clock, NewCall, QuotaHolder } from '@synchub/core'
import type { RedisClient, RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'

type Held = Pick<NewCall, 'callId' | 'trace'>

/** Most calls that have not ended; no bound where absent. */
export interface OpenBounds {
  readonly caller?: number
  readonly tenant?: number
}

/**
 * The open calls of callers and tenants. They are names and no numbers: what a crash leaves behind is found by the open calls
 * themselves, among which every call stands from before its record until after its end.
 */
export interface HeldCalls {
  /** @returns whose bound is reached; undefined where the call is counted */
  take(call: Held): Promise<keyof OpenBounds | undefined>
  /** Takes calls out that have ended, within commands that are under way. */
  drop(client: RedisClient, calls: readonly Held[]): Promise<unknown>[]
}

/** Time between the count of a call and its place among the open calls, at most, in ms. */
const UNDER_WAY_MS = 10_000
/** A bound that is reached is looked at so often by one hub, in ms: whoever sends on and on must not cost a look each time. */
const CHECK_EVERY_MS = 1000

/** Open calls over Redis. */
export function createHeldCalls({ keys, run, ask }: RedisLink, clock: Clock, bounds: OpenBounds): HeldCalls {
  const listsOf = ({ tenant, owner }: QuotaHolder) => [keys.heldCalls(tenant, owner), keys.heldCalls(tenant)]
  const checkedAtMs = new Map<string, number>()

  /** Takes out what has ended without its writer having said so. @returns whether there was any */
  const correct = async (list: string, nowMs: number): Promise<boolean> => {
    if (nowMs < (checkedAtMs.get(list) ?? 0) + CHECK_EVERY_MS) return false
    for (const [name, atMs] of checkedAtMs) if (nowMs >= atMs + CHECK_EVERY_MS) checkedAtMs.delete(name)
    checkedAtMs.set(list, nowMs)
    const callIds = await ask((client) => client.zrangebyscore(list, '-inf', nowMs - UNDER_WAY_MS))
    if (callIds.length === 0) return false
    const places = await ask((client) => client.zmscore(keys.openCalls, ...callIds))
    const ended = callIds.filter((_, at) => places[at] === null)
    if (ended.length === 0) return false
    await ask((client) => client.zrem(list, ...ended))
    return true
  }

  return {
    async take({ callId, trace }) {
      const lists = listsOf(trace)
      for (;;) {
        const nowMs = clock.now()
        const args = [callId, nowMs, bounds.caller ?? '', bounds.tenant ?? '']
        const full = Number(await run(SCRIPTS.holdCall, lists, args))
        if (full === 0) return undefined
        if (!(await correct(lists[full - 1] ?? '', nowMs))) return full === 1 ? 'caller' : 'tenant'
      }
    },
    drop: (client, calls) =>
      calls.flatMap(({ callId, trace }) => listsOf(trace).map((list) => client.zrem(list, callId))),
  }
}
