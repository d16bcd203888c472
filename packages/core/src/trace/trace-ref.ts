/** What a trace is known by: the same traceId of two owners names two traces (design section 4). */
export interface TraceRef {
  readonly tenant: string
  readonly owner: string
  readonly traceId: string
}
