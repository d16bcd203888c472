import { isJsonObject } from '../json-rpc/frame.js'
import { EVENT_NAMES, type EventName, type TraceEvent } from './trace-event.js'

/** An event as it came, its data parsed. */
export interface RawEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** Whether an event is one of a trace log, and whole. */
export function isTraceEvent(item: RawEvent): item is TraceEvent {
  const { event, data } = item
  if (!isEventName(event) || !isJsonObject(data)) return false
  return typeof data.seq === 'number' && typeof data.callId === 'string' && typeof data.tool === 'string'
}

/** Whether `name` is that of an event of a trace log. */
export function isEventName(name: string): name is EventName {
  return (EVENT_NAMES as readonly string[]).includes(name)
}
