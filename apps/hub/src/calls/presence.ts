import { HubError } from '@synchub/protocol'
import type { Leases } from '@synchub/redis'

/** A hub's sign that it is alive; without it a sweep takes its direct calls. */
export interface Presence {
  /** Why the last sign could not be written; undefined where it was. */
  trouble(): HubError | undefined
  end(): Promise<void>
}

const LEASE_MS = 15_000
const RENEW_MS = 5000
/** After an outage the lease may be gone, and a sweep may come as soon as the store is back: this must come sooner. */
const RETRY_MS = 200

/** Shows that the hub lives, from now until it ends. */
export async function holdPresence(
  leases: Leases,
  hubId: string,
  onFailure: (thrown: unknown) => void,
): Promise<Presence> {
  await leases.showPresence(hubId, LEASE_MS)
  let timer: NodeJS.Timeout | undefined
  let trouble: HubError | undefined
  let ended = false
  const renew = async (): Promise<void> => {
    try {
      await leases.showPresence(hubId, LEASE_MS)
      trouble = undefined
    } catch (thrown) {
      // Told once for each outage.
      if (trouble === undefined) onFailure(thrown)
      trouble = HubError.from(thrown)
    }
    plan()
  }
  const plan = (): void => {
    if (!ended) timer = setTimeout(() => void renew(), trouble !== undefined ? RETRY_MS : RENEW_MS)
  }
  plan()
  return {
    trouble: () => trouble,
    async end() {
      ended = true
      clearTimeout(timer)
      // Away already: the lease ends by itself.
      await leases.endPresence(hubId).catch(onFailure)
    },
  }
}
