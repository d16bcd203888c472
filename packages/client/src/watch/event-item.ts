import { isEventName, isTraceEvent, type RawEvent, type TraceEvent } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'

/** One event of a trace. */
export type TraceEventItem = { readonly kind: 'event' } & TraceEvent

/** An event of a later version of the hub: not shown, but the place in the log moves on. */
export interface UnfamiliarItem {
  readonly kind: 'unfamiliar'
  readonly id: string
}

/** Checks an event of a trace. @throws HubError CONTRACT_BROKEN when a known event is not whole */
export function decodeEventItem(baseUrl: string, item: RawEvent): TraceEventItem | UnfamiliarItem {
  if (isTraceEvent(item)) return { kind: 'event', ...item }
  if (item.event !== 'reset' && !isEventName(item.event)) return { kind: 'unfamiliar', id: item.id }
  throw notOurHub(baseUrl, `sent an event "${item.event}" that is not whole`)
}
