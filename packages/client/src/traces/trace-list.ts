import { isJsonObject, type Page, type TraceState, type TraceSummary, type TraceView } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { encodeQuery, encodeSegment } from '../connection/path.js'

/** Which traces to list, newest first. */
export interface TraceFilter {
  /** Any of these. */
  readonly states?: readonly TraceState[] | undefined
  readonly tool?: string | undefined
  readonly caller?: string | undefined
  /** Agent of the first call. */
  readonly agent?: string | undefined
  /** What the traceId, tool, agent, caller or owner holds. */
  readonly text?: string | undefined
  /** Created at or after, and before, these instants (ISO 8601). */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Only those of this owner; by default all that the caller may see. */
  readonly owner?: string | undefined
  /** Only those that changed since this instant: the `asOf` of an earlier answer. */
  readonly since?: string | undefined
  /** Most traces on one page. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

/** One page of traces. */
export interface TracePage extends Page<TraceSummary> {
  /** Instant up to which this answer is sure to hold every change; the next `since`. */
  readonly asOf: string
}

/** One page of traces (`GET /traces`). */
export async function listTraces(
  connection: HubConnection,
  filter: TraceFilter,
  signal?: AbortSignal,
): Promise<TracePage> {
  const { states, tool, caller, agent, text, from, to, owner, since, limit, cursor } = filter
  const state = states?.join(',')
  const query = encodeQuery({ state, tool, caller, agent, text, from, to, owner, since, limit, cursor })
  const page = await connection.json({ method: 'GET', path: `/traces${query}`, signal })
  if (isPage(page)) return page
  throw notOurHub(connection.baseUrl, 'answered /traces with something that is no page')
}

function isPage(value: unknown): value is TracePage {
  return isJsonObject(value) && Array.isArray(value.items) && typeof value.asOf === 'string'
}

/** A trace as it stands (`GET /traces/{id}`). */
export async function getTrace(
  connection: HubConnection,
  traceId: string,
  { owner, signal }: { readonly owner?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<TraceView> {
  const path = `/traces/${encodeSegment('traceId', traceId)}${encodeQuery({ owner })}`
  const trace = await connection.json({ method: 'GET', path, signal })
  if (isTrace(trace)) return trace
  throw notOurHub(connection.baseUrl, 'answered with a trace that is not whole')
}

function isTrace(value: unknown): value is TraceView {
  return isJsonObject(value) && typeof value.traceId === 'string' && Array.isArray(value.calls)
}
