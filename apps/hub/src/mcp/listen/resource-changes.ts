import { mayRead, type Principal } from '@synchub/auth'
import { isTraceId } from '@synchub/protocol'
import type { ChangeNotice } from '@synchub/redis'
import type { HubContext } from '../../hub-context.js'
import { isTraceUri, readTraceUri, type TraceUri } from '../../offers/trace-uri.js'

/** Most resources that one listener is told of: each is looked at with every change. */
export const MAX_WATCHED_RESOURCES = 100

/** Whether changes of a resource are known here: of the hub's own, the traces. */
export function isWatchable(uri: string): boolean {
  return isTraceUri(uri) && isTraceId(readTraceUri(uri).traceId)
}

/**
 * Tells which of some resources have changed, under the URIs that were asked for: a trace has several.
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
    for (const uri of await wanted()) if (isWatchable(uri) && changed.has(nameOf(readTraceUri(uri)))) tell(uri)
  }
  return notices.listen(principal.tenant, {
    deliver(batch) {
      const visible = batch.notices.filter((notice) => mayKnow(principal, notice))
      if (visible.length === 0) return
      const names = visible.flatMap(({ traceId, owner }) => [
        nameOf({ traceId, owner: undefined }),
        nameOf({ traceId, owner }),
      ])
      show(new Set(names)).catch((thrown: unknown) =>
        logger.warn({ err: thrown }, 'changes of resources were not told'),
      )
    },
    // What changed meanwhile is not known by name; whoever reads again sees it.
    lost: () => undefined,
  })
}

/** Whether a principal may know of a trace (invariant 8); to an agent at work there is one alone. */
function mayKnow(principal: Principal, { traceId, owner }: ChangeNotice): boolean {
  const { run } = principal
  return mayRead(principal, owner) && (run === undefined || run.traceId === traceId)
}

/** No traceId has a question mark in it. */
function nameOf({ traceId, owner }: TraceUri): string {
  return owner === undefined ? traceId : `${traceId}?${owner}`
}
