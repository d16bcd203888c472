import type { CallCounter, Clock, QuotaHolder, RequestLimits } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { RedisLink } from '../connection/redis-link.js'
import { toStoreFailure } from '../connection/store-failure.js'
import { createHeldCalls, type HeldCalls } from './held-calls.js'

const WINDOW_SECONDS = 60
/** When a caller may come again that has too many open calls: how long those take, nobody knows. */
const OPEN_RETRY_SECONDS = 2

/** The limits on what callers and tenants send and have open. */
export type QuotaLimits = Pick<RequestLimits, 'caller' | 'tenant'>

/** The open calls that are counted; undefined where no bound is set on them. */
export function openHeldCalls(link: RedisLink, clock: Clock, { caller, tenant }: QuotaLimits): HeldCalls | undefined {
  const bounds = {
    ...(caller.openCalls === undefined ? {} : { caller: caller.openCalls }),
    ...(tenant.openCalls === undefined ? {} : { tenant: tenant.openCalls }),
  }
  return Object.keys(bounds).length === 0 ? undefined : createHeldCalls(link, clock, bounds)
}

/** Counts calls for the limits of the configuration; undefined where it sets none, so that calls cost nothing more then. */
export function createCallCounter(
  link: RedisLink,
  { caller, tenant }: QuotaLimits,
  held: HeldCalls | undefined,
): CallCounter | undefined {
  const rates = [
    rateOf(link, 'caller', caller.callsPerMinute, ({ tenant: name, owner }) => `${name}:${owner}`),
    rateOf(link, 'tenant', tenant.callsPerMinute, ({ tenant: name }) => name),
  ].filter((rate) => rate !== undefined)
  if (rates.length === 0 && held === undefined) return undefined
  return {
    async countSent(holder) {
      for (const count of rates) await count(holder)
    },
    async hold(call) {
      const full = await held?.take(call)
      if (full === undefined) return
      const limit = (full === 'caller' ? caller : tenant).openCalls ?? 0
      const who = full === 'caller' ? `${call.trace.owner} has` : `all callers of ${call.trace.tenant} together have`
      throw new HubError(
        'TOO_MANY_REQUESTS',
        `${who} ${limit} open calls, and limits.${full}.openCalls allows no more`,
        {
          limit,
          retryAfterSeconds: OPEN_RETRY_SECONDS,
          nextStep: 'Wait for one of the open calls to end, or cancel one, and send this call again.',
        },
      )
    },
    async letGo(call) {
      if (held !== undefined) await link.ask((client) => Promise.all(held.drop(client, [call])))
    },
  }
}

function rateOf(
  { commands, keys }: RedisLink,
  kind: keyof QuotaLimits,
  limit: number | undefined,
  nameOf: (holder: QuotaHolder) => string,
): ((holder: QuotaHolder) => Promise<void>) | undefined {
  if (limit === undefined) return undefined
  const limiter = new RateLimiterRedis({
    storeClient: commands,
    keyPrefix: keys.sentCalls(kind),
    points: limit,
    duration: WINDOW_SECONDS,
    rejectIfRedisNotReady: true,
  })
  return async (holder) => {
    try {
      await limiter.consume(nameOf(holder))
    } catch (thrown) {
      if (!isOver(thrown)) throw toStoreFailure(thrown)
      const who = kind === 'caller' ? `${holder.owner} has` : `all callers of ${holder.tenant} together have`
      const reason = `${who} sent ${limit} calls within a minute, and limits.${kind}.callsPerMinute allows no more`
      throw new HubError('TOO_MANY_REQUESTS', reason, {
        limit,
        retryAfterSeconds: Math.max(1, Math.ceil(thrown.msBeforeNext / 1000)),
        nextStep: 'Send the call again after the time that the error names.',
      })
    }
  }
}

/** The library rejects with what it counted where there is no room, and with an error where it could not count. */
function isOver(thrown: unknown): thrown is { readonly msBeforeNext: number } {
  return typeof thrown === 'object' && thrown !== null && 'msBeforeNext' in thrown
}
