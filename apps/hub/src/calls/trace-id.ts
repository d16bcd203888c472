import { createCallId } from '@synchub/core'
import { systemClock } from '@synchub/telemetry'

/** Makes up a traceId, for a caller that names none. */
export function createTraceId(): string {
  return `trace-${createCallId(systemClock.now())}`
}
