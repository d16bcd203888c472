import type { RedisLink } from '../connection/redis-link.js'

/** The calls that have not ended, by the instant at which a sweep should look at them. */
export interface OpenCalls {
  /** Calls that are due, the longest overdue first. */
  due(nowMs: number, limit: number): Promise<readonly string[]>
  /** Look at the call again at `atMs`. */
  lookAgain(callId: string, atMs: number): Promise<void>
}

/** The open calls over Redis. */
export function createOpenCalls(link: RedisLink): OpenCalls {
  const { openCalls } = link.keys
  return {
    due: (nowMs, limit) => link.ask((client) => client.zrangebyscore(openCalls, 0, nowMs, 'LIMIT', 0, limit)),
    async lookAgain(callId, atMs) {
      // XX: a call that ended meanwhile is not put back.
      await link.ask((client) => client.zadd(openCalls, 'XX', atMs, callId))
    },
  }
}
