import { encodeSseEvent } from '@synchub/protocol'
import type { EntryBatch } from '@synchub/redis'
import { type EventFilter, isWanted } from './event-filter.js'
import { StreamFrame } from './stream-frame.js'

/** The bytes of a batch on the wire: made once for all readers that want the same of it. Null when it holds nothing wanted. */
export function frameBatch(batch: EntryBatch, filter: EventFilter): StreamFrame | null {
  return batch.made(`sse ${filter.name}`, (entries) => {
    const wanted = entries.filter((entry) => isWanted(entry, filter))
    return wanted.length === 0 ? null : new StreamFrame(wanted.map(encodeSseEvent).join(''))
  })
}
