import { mayRead, type Principal } from '@synchub/auth'
import type { HubContext } from '../../hub-context.js'

const TRACE_URI = /^trace:\/\/([^/?#]+)$/

/** Whether changes of a resource are known here: of the hub's own, the traces. */
export function isWatchable(uri: string): boolean {
  return TRACE_URI.test(uri)
}

/**
 * Tells which of some resources have changed.
 * @param wanted - the URIs that count now; asked anew each time
 * @returns how to stop
 * @throws HubError HUB_UNAVAILABLE
 */
export function watchResources(
  wanted: () => Promise<readonly string[]>,
  principal: Principal,
  { notices, logger }: HubContext,
  tell: (uri: string) => void,
): Promise<() => void> {
  const show = async (changed: ReadonlySet<string>): Promise<void> => {
    for (const uri of await wanted()) if (changed.has(uri)) tell(uri)
  }
  return notices.listen(principal.tenant, {
    deliver(batch) {
      const visible = batch.notices.filter(({ owner }) => mayRead(principal, owner))
      if (visible.length === 0) return
      show(new Set(visible.map(({ traceId }) => `trace://${traceId}`))).catch((thrown: unknown) =>
        logger.warn({ err: thrown }, 'changes of resources were not told'),
      )
    },
    // What changed meanwhile is not known by name; whoever reads again sees it.
    lost: () => undefined,
  })
}
