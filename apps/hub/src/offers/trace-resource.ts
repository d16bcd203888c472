import type { Principal } from '@synchub/auth'
import type { Completion, ResourceReading, ResourceTemplate } from '@synchub/protocol'
import { findVisibleTrace } from '../calls/visible-objects.js'
import type { HubContext } from '../hub-context.js'
import { readTraceUri } from './trace-uri.js'

/** The hub's own resources: traces as `GET /traces/{traceId}` shows them, for whoever may see them there. */
export const TRACE_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'trace://{traceId}{?owner}',
  name: 'trace',
  title: 'Trace',
  description: 'A trace at one instant: its state, its calls as a tree, and the cursor from which to watch on.',
  mimeType: 'application/json',
}

/** Newest traces that are looked through for a completion. */
const MAX_LOOKED_AT = 200
const MAX_VALUES = 100

/**
 * Reads a trace.
 * @throws HubError NOT_FOUND, also for one that the principal may not see (invariant 8); INVALID_PARAMS when several owners have it
 */
export async function readTraceResource(
  uri: string,
  principal: Principal,
  context: HubContext,
): Promise<ResourceReading> {
  const trace = await findVisibleTrace({ ...readTraceUri(uri), mayBeMissing: false }, principal, context)
  const text = JSON.stringify(await context.reader.snapshot(trace))
  return { contents: [{ uri, mimeType: 'application/json', text }] }
}

/** The caller's own newest traces that begin so. */
export async function completeTraceId(
  beginning: string,
  principal: Principal,
  context: HubContext,
): Promise<Completion> {
  const matching = (await recentTraceIds(principal, context)).filter((traceId) => traceId.startsWith(beginning))
  return { values: matching.slice(0, MAX_VALUES), hasMore: matching.length > MAX_VALUES }
}

/** An agent at work has one trace. */
async function recentTraceIds({ tenant, subject, run }: Principal, { list }: HubContext): Promise<readonly string[]> {
  if (run !== undefined) return [run.traceId]
  const { items } = await list.newest({ tenant, owner: subject, filter: {}, limit: MAX_LOOKED_AT })
  return items.map(({ traceId }) => traceId)
}
