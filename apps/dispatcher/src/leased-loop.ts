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
  /** Has the next round begin now, or right after the one that runs; asked often, at most every quarter of a second. */
  wake(): void
  /** Ends the loop after the round that runs, and gives the lease up at once. */
  stop(): Promise<void>
}

/** Rounds missed before another dispatcher may take over. */
const LEASE_ROUNDS = 4
const MIN_LEASE_MS = 5000
const WAKE_GAP_MS = 250

/** Starts the loop: whoever holds the lease ticks, the others wait for it. */
export function startLeasedLoop({ name, holder, leases, everyMs, tick, onFailure }: LeasedLoopOptions): LeasedLoop {
  const leaseMs = Math.max(MIN_LEASE_MS, LEASE_ROUNDS * everyMs)
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let isWanted = false
  let endedAtMs = Number.NEGATIVE_INFINITY
  const plan = (delayMs: number) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(next, delayMs)
  }
  const planSoon = () => plan(Math.max(0, endedAtMs + WAKE_GAP_MS - performance.now()))
  const round = async () => {
    isRunning = true
    isWanted = false
    try {
      if (await leases.hold(name, holder, leaseMs)) await tick()
    } catch (thrown) {
      onFailure(thrown)
    }
    isRunning = false
    endedAtMs = performance.now()
    if (isWanted) planSoon()
    else plan(everyMs)
  }
  const next = () => {
    running = round()
  }
  let running = round()
  return {
    wake() {
      if (isWanted) return
      isWanted = true
      if (!isRunning) planSoon()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
      await leases.drop(name, holder).catch(onFailure)
    },
  }
}
