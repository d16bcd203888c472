import type { NewCall } from '../call/call-record.js'
import type { TraceRef } from '../trace/trace-ref.js'

/** A caller as limits know it: a subject of a tenant. */
export type QuotaHolder = Pick<TraceRef, 'tenant' | 'owner'>

/** Counts what callers send and have open, over all hubs. Absent where the configuration sets no bound: it costs nothing then. */
export interface CallCounter {
  /** Counts one call that is sent. @throws HubError TOO_MANY_REQUESTS; HUB_UNAVAILABLE */
  countSent(holder: QuotaHolder): Promise<void>
  /** Counts a call as open; it is one until its end is recorded. @throws HubError TOO_MANY_REQUESTS; HUB_UNAVAILABLE */
  hold(call: Pick<NewCall, 'callId' | 'trace'>): Promise<void>
  /** A call that was held was not recorded. */
  letGo(call: Pick<NewCall, 'callId' | 'trace'>): Promise<void>
}
