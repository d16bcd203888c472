import { type EventName, encodeSseEvent } from '@synchub/protocol'
import type { EntryBatch, LogEntry } from '@synchub/redis'

/** Which events of a trace a reader wants. */
export interface EventFilter {
  readonly callId?: string
  readonly events?: ReadonlySet<EventName>
}

/** Whether a reader wants this entry. */
export function isWanted(entry: LogEntry, { callId, events }: EventFilter): boolean {
  return (callId === undefined || entry.callId === callId) && (events === undefined || events.has(entry.event))
}

/** The bytes of a batch on the wire: made once for all readers that want the same of it. Empty when it holds nothing wanted. */
export function frameBatch(batch: EntryBatch, filter: EventFilter): Buffer {
  const name = `sse ${filter.callId ?? ''} ${filter.events === undefined ? '' : [...filter.events].join()}`
  return batch.made(name, (entries) => {
    const wanted = entries.filter((entry) => isWanted(entry, filter))
    return Buffer.from(wanted.map(encodeSseEvent).join(''))
  })
}
