import { v7 as uuidv7 } from 'uuid'

/** Makes up a traceId, for a caller that names none. */
export function createTraceId(): string {
  return `trace-${uuidv7()}`
}
