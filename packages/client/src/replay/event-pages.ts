import { abortableIterator } from '../abort/abortable-iterator.js'
import { linkAbort } from '../abort/linked-abort.js'
import { DEFAULT_OUTAGE_TIMEOUT_MS } from '../call/call-options.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { type OutageBounds, throughOutage } from '../connection/outage.js'
import type { TraceEventItem } from '../watch/event-item.js'
import { decodePage, fetchPage, type PagePlace, type PagesRequest } from './event-page.js'

/** Options of `eventPages`. */
export interface EventPagesOptions {
  /** Begin with the event of this id; by default with the first. */
  readonly from?: string | undefined
  /** Whose trace, where several owners have one of this name. */
  readonly owner?: string | undefined
  /** Ends the reading quietly. */
  readonly signal?: AbortSignal | undefined
}

/** Reads the recorded events of a trace at full speed, some hundred at a time. */
export function readLog(
  connection: HubConnection,
  traceId: string,
  { from, owner, signal }: EventPagesOptions = {},
): AsyncIterableIterator<readonly TraceEventItem[]> {
  const abort = linkAbort(signal)
  const bounds = { outageTimeoutMs: DEFAULT_OUTAGE_TIMEOUT_MS, signal: abort.signal }
  return abortableIterator(
    endQuietly(readEventPages(connection, { traceId, owner, from }, bounds), abort.signal),
    abort,
  )
}

async function* endQuietly<Item>(items: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item, undefined> {
  try {
    yield* items
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
}

/**
 * Reads a log page by page to its end, as it is once that is reached. While a page is parsed and used the next one is fetched,
 * and never more than that.
 */
export async function* readEventPages(
  connection: HubConnection,
  request: PagesRequest,
  bounds: OutageBounds,
): AsyncGenerator<readonly TraceEventItem[], undefined> {
  const fetchAt = (place: PagePlace) =>
    throughOutage(() => fetchPage(connection, request, place, bounds.signal), bounds)
  for (let arrived = await fetchAt({ from: request.from }); ; ) {
    const ahead = arrived.next === undefined ? undefined : fetchAt({ after: arrived.next })
    // A failure is thrown below, where the page is wanted; until then nobody listens.
    ahead?.catch(() => undefined)
    const { items, lastId } = decodePage(connection.baseUrl, arrived)
    if (lastId === undefined) return
    yield items
    arrived = await (ahead ?? fetchAt({ after: lastId }))
  }
}
