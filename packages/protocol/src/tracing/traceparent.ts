const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/
const W3C_TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/
const OWN_TRACE_ID = /^trace-([0-9a-f-]{36})$/
const NO_SPAN = '0'.repeat(16)

/** The trace id that a `traceparent` names (W3C Trace Context section 3.2.2); undefined where it is none, which is then as good as absent. */
export function traceIdOfTraceparent(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [, traceId = '', spanId] = TRACEPARENT.exec(value) ?? []
  return W3C_TRACE_ID.test(traceId) && spanId !== NO_SPAN ? traceId : undefined
}

/** A trace as W3C names it: ids that are such, and those that the hub makes up; undefined for names that callers chose otherwise. */
export function toW3cTraceId(traceId: string): string | undefined {
  const hex = (OWN_TRACE_ID.exec(traceId)?.[1] ?? traceId).replaceAll('-', '')
  return W3C_TRACE_ID.test(hex) ? hex : undefined
}

/** A call with the names of its trace. */
export interface TracedCall {
  readonly callId: string
  readonly traceId: string
  /** The trace as the caller's own tracing names it, where the traceId is no such name. */
  readonly w3cTraceId?: string | undefined
}

/** The `traceparent` that a call is told with, whoever is told; undefined where its trace has no name of that kind. */
export function traceparentOfCall({ callId, traceId, w3cTraceId }: TracedCall): string | undefined {
  const name = toW3cTraceId(traceId) ?? w3cTraceId
  return name === undefined ? undefined : traceparentOf(name, callId)
}

/** The `traceparent` of a call within a trace: the call is the span. @param callId - a UUID, whose second half is never all zeros */
export function traceparentOf(w3cTraceId: string, callId: string): string {
  return `00-${w3cTraceId}-${callId.replaceAll('-', '').slice(16)}-01`
}
