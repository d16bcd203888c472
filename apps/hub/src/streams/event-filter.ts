import type { EventName } from '@synchub/protocol'
import type { LogEntry } from '@synchub/redis'

/** Which events of a trace a reader wants. */
export interface EventFilter {
  /** The same for all who want the same. */
  readonly name: string
  readonly callId?: string
  readonly events?: ReadonlySet<EventName>
}

/** What most readers want: one object for all of them. */
const EVERYTHING: EventFilter = { name: '' }

/** A filter by call, by kind of event, by both or neither. */
export function eventFilter(callId: string | undefined, events: ReadonlySet<EventName> | undefined): EventFilter {
  if (callId === undefined && events === undefined) return EVERYTHING
  return {
    name: `${callId ?? ''} ${events === undefined ? '' : [...events].join()}`,
    ...(callId === undefined ? {} : { callId }),
    ...(events === undefined ? {} : { events }),
  }
}

/** Whether a reader wants this entry. */
export function isWanted(entry: LogEntry, { callId, events }: EventFilter): boolean {
  return (callId === undefined || entry.callId === callId) && (events === undefined || events.has(entry.event))
}
