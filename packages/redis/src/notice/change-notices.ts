import type { Clock } from '@synchub/core'
import type { Keys } from '../connection/keys.js'
import type { Subscriptions } from '../connection/subscriptions.js'
import { type NoticeSink, TenantNotices } from './tenant-notices.js'

/** Tells which traces of a tenant change. Pub/sub alone: what is lost on the way is found in the list of traces. */
export interface ChangeNotices {
  /**
   * Tells `sink` of every change from now on; settles once that is so. The returned function ends it.
   * @throws HubError HUB_UNAVAILABLE
   */
  listen(tenant: string, sink: NoticeSink): Promise<() => void>
  close(): void
}

/** What the notices work with. */
export interface ChangeNoticesOptions {
  readonly keys: Keys
  readonly subscriptions: Subscriptions
  readonly clock: Clock
  /** A trace is told of at most once in so many ms; 250 by default. */
  readonly tickMs?: number
  onFailure(thrown: unknown): void
}

interface OpenTenant {
  readonly notices: TenantNotices
  readonly subscribed: Promise<() => Promise<void>>
}

const DEFAULT_TICK_MS = 250

/** One subscription for each tenant to which somebody listens. */
export function openChangeNotices(options: ChangeNoticesOptions): ChangeNotices {
  const { keys, subscriptions, clock, tickMs = DEFAULT_TICK_MS } = options
  const tenants = new Map<string, OpenTenant>()

  const acquire = (tenant: string): OpenTenant => {
    const known = tenants.get(tenant)
    if (known !== undefined) return known
    const notices = new TenantNotices(clock, tickMs)
    const subscribed = subscriptions.add(keys.noticeChannel(tenant), (message) => notices.receive(message))
    const open = { notices, subscribed }
    tenants.set(tenant, open)
    return open
  }

  const shut = (tenant: string, open: OpenTenant) => {
    if (tenants.get(tenant) === open) tenants.delete(tenant)
    open.notices.close()
    open.subscribed.then((unsubscribe) => unsubscribe()).catch((thrown: unknown) => options.onFailure(thrown))
  }

  const stopObserving = subscriptions.onInterruption({
    lost: () => undefined,
    // Told on return, not on loss: only then can the list of traces be read again.
    restored: () => {
      for (const { notices } of tenants.values()) notices.interrupted()
    },
  })

  return {
    async listen(tenant, sink) {
      const open = acquire(tenant)
      open.notices.add(sink)
      const stop = () => {
        open.notices.remove(sink)
        if (open.notices.sinkCount === 0) shut(tenant, open)
      }
      try {
        await open.subscribed
      } catch (thrown) {
        stop()
        throw thrown
      }
      return stop
    },
    close() {
      stopObserving()
      for (const [tenant, open] of tenants) shut(tenant, open)
    },
  }
}
