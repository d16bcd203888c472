import type { Leases } from '@synchub/redis'

/** Work that only one dispatcher does at a time, again and again. */
export interface LeasedLoopOptions {
  readonly name: string
  readonly holder: string
  readonly leases: Leases
  readonly everyMs: number
  /** How long the lease lasts unless it is extended; four rounds, and at least 5 s, where absent. */
  readonly leaseMs?: number
  /** One round; never runs twice at once here. `isLost` aborts when another process may have begun one too. */
  tick(isLost: AbortSignal): Promise<void>
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
/** How often a lease is extended before it would lapse. */
const EXTENSIONS = 3
const WAKE_GAP_MS = 250

/** Starts the loop: whoever holds the lease ticks, the others wait for it. */
export function startLeasedLoop(options: LeasedLoopOptions): LeasedLoop {
  const { name, holder, leases, everyMs, tick, onFailure } = options
  const leaseMs = options.leaseMs ?? Math.max(MIN_LEASE_MS, LEASE_ROUNDS * everyMs)
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
  // A round may take longer than the lease lasts: it is extended while the round goes on.
  const tickWithLease = async () => {
    const lost = new AbortController()
    const extend = async () => {
      if (!(await leases.hold(name, holder, leaseMs))) lost.abort()
    }
    const extending = setInterval(() => void extend().catch(onFailure), leaseMs / EXTENSIONS)
    try {
      await tick(lost.signal)
    } finally {
      clearInterval(extending)
    }
  }
  const round = async () => {
    isRunning = true
    isWanted = false
    try {
      if (await leases.hold(name, holder, leaseMs)) await tickWithLease()
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
