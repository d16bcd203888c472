import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'

/** Who does what only one process may do at a time, and which hubs are alive. */
export interface Leases {
  /** Takes the lease or extends it; true while `holder` has it. */
  hold(name: string, holder: string, durationMs: number): Promise<boolean>
  drop(name: string, holder: string): Promise<void>
  /** Says that a hub is alive for the next `durationMs`. */
  showPresence(hubId: string, durationMs: number): Promise<void>
  endPresence(hubId: string): Promise<void>
  isPresent(hubId: string): Promise<boolean>
}

/** Leases over Redis, by its own clock. */
export function createLeases(link: RedisLink): Leases {
  const { keys } = link
  return {
    async hold(name, holder, durationMs) {
      return (await link.run(SCRIPTS.holdLease, [keys.lease(name)], [holder, durationMs])) === 1
    },
    async drop(name, holder) {
      await link.run(SCRIPTS.dropLease, [keys.lease(name)], [holder])
    },
    async showPresence(hubId, durationMs) {
      await link.ask((client) => client.set(keys.hubPresence(hubId), '1', 'PX', durationMs))
    },
    async endPresence(hubId) {
      await link.ask((client) => client.del(keys.hubPresence(hubId)))
    },
    async isPresent(hubId) {
      return (await link.ask((client) => client.exists(keys.hubPresence(hubId)))) === 1
    },
  }
}
