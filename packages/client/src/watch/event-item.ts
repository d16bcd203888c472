import { EVENT_NAMES, type EventName, isJsonObject, type TraceEvent } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'

/** One event of a trace. */
export type TraceEventItem = { readonly kind: 'event' } & TraceEvent

/** An event of a later version of the hub: not shown, but the place in the log moves on. */
export interface UnfamiliarItem {
  readonly kind: 'unfamiliar'
  readonly id: string
}

/** An event as it came, its data parsed. */
export interface RawEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** Checks an event of a trace. @throws HubError CONTRACT_BROKEN when a known event is not whole */
export function decodeEventItem(baseUrl: string, item: RawEvent): TraceEventItem | UnfamiliarItem {
  if (isTraceEvent(item)) return { kind: 'event', ...item }
  if (item.event !== 'reset' && !isEventName(item.event)) return { kind: 'unfamiliar', id: item.id }
  throw notOurHub(baseUrl, `sent an event "${item.event}" that is not whole`)
}

function isTraceEvent(item: RawEvent): item is TraceEvent {
  const { event, data } = item
  if (!isEventName(event) || !isJsonObject(data)) return false
  return typeof data.seq === 'number' && typeof data.callId === 'string' && typeof data.tool === 'string'
}

function isEventName(name: string): name is EventName {
  return (EVENT_NAMES as readonly string[]).includes(name)
}
