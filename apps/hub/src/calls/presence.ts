import type { Leases } from '@synchub/redis'

/** A hub's sign that it is alive; without it a sweep takes its direct calls. */
export interface Presence {
  end(): Promise<void>
}

const LEASE_MS = 15_000
const RENEW_MS = 5000

/** Shows that the hub lives, from now until it ends. */
export async function holdPresence(
  leases: Leases,
  hubId: string,
  onFailure: (thrown: unknown) => void,
): Promise<Presence> {
  await leases.showPresence(hubId, LEASE_MS)
  const timer = setInterval(() => void leases.showPresence(hubId, LEASE_MS).catch(onFailure), RENEW_MS)
  return {
    async end() {
      clearInterval(timer)
      // Away already: the lease ends by itself.
      await leases.endPresence(hubId).catch(onFailure)
    },
  }
}
