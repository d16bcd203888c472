import type { Leases } from '@synchub/redis'

/** Work that only one dispatcher does at a time, again and again. */
export interface LeasedLoopOptions {
  readonly name: string
  readonly holder: string
  readonly leases: Leases
  readonly everyMs: number
  /** One round; never runs twice at once. */
  tick(): Promise<void>
  onFailure(thrown: unknown): void
}

/** A running loop. */
export interface LeasedLoop {
  /** Ends the loop after the round that runs, and gives the lease up at once. */
  stop(): Promise<void>
}

/** Rounds missed before another dispatcher may take over. */
const LEASE_ROUNDS = 4
const MIN_LEASE_MS = 5000

/** Starts the loop: whoever holds the lease ticks, the others wait for it. */
export function startLeasedLoop({ name, holder, leases, everyMs, tick, onFailure }: LeasedLoopOptions): LeasedLoop {
  const leaseMs = Math.max(MIN_LEASE_MS, LEASE_ROUNDS * everyMs)
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const round = async () => {
    try {
      if (await leases.hold(name, holder, leaseMs)) await tick()
    } catch (thrown) {
      onFailure(thrown)
    }
    if (!stopped) timer = setTimeout(next, everyMs)
  }
  const next = () => {
    running = round()
  }
  let running = round()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
      await leases.drop(name, holder).catch(onFailure)
    },
  }
}
