import type { EventDraft, NewCall } from '@synchub/core'
import type { JsonObject } from '@synchub/protocol'

/** Results larger than this live under a key of their own; the event links to them (design section 4). */
export const MAX_EVENT_RESULT_BYTES = 64 * 1024

/** The events of one step, as the store is given them. */
export interface EncodedEvents {
  /** Event, body, event, body ...; a body is the event's data as JSON text without seq and at. */
  readonly pairs: readonly string[]
  /** JSON of `{result, content}` of the last event where they are too large for it. */
  readonly largeResult?: string
}

/** Encodes the events of one step of a call; the store puts seq, at and the progress token in front. */
export function encodeEvents(
  { callId, tool, trace: { traceId } }: Pick<NewCall, 'callId' | 'tool' | 'trace'>,
  events: readonly EventDraft[],
): EncodedEvents {
  const envelope = JSON.stringify({ traceId, callId, tool })
  const pairs: string[] = []
  for (const { event, data } of events) {
    const body = joinObjects(envelope, JSON.stringify(data))
    // Measured on what is written anyway: a result is written a second time only where it may be too large.
    if (event === 'complete' && Buffer.byteLength(body) > MAX_EVENT_RESULT_BYTES) {
      const { result, content, ...rest } = data
      const largeResult = JSON.stringify({ result, content })
      const resultBytes = Buffer.byteLength(largeResult)
      if (resultBytes > MAX_EVENT_RESULT_BYTES) {
        const link = { resultLink: `/calls/${callId}`, resultBytes }
        pairs.push(event, joinObjects(envelope, JSON.stringify({ ...rest, ...link })))
        return { pairs, largeResult }
      }
    }
    pairs.push(event, body)
  }
  return { pairs }
}

/** Two objects that share no name as one, all of them as JSON text. To join the objects and write that costs four times as much. */
function joinObjects(first: string, second: string): string {
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`
}

/** The members of an ended call's event, with a large result put back in place. */
export function inlineResult(data: JsonObject, largeResult: string | null): JsonObject {
  if (largeResult === null) return data
  const { resultLink: _link, resultBytes: _bytes, ...rest } = data
  return { ...rest, ...(JSON.parse(largeResult) as JsonObject) }
}
