import type { EventDraft, NewCall } from '@synchub/core'
import type { JsonObject } from '@synchub/protocol'

/** Results larger than this live under a key of their own; the event links to them (design section 4). */
export const MAX_EVENT_RESULT_BYTES = 64 * 1024

/** What an event is written with: its body as JSON text without seq and at, and the result that did not fit. */
export interface EventBody {
  readonly event: string
  readonly body: string
  /** JSON of `{result, content}` where they are too large for the event. */
  readonly largeResult?: string
}

/** Encodes the events of one step of a call; the store puts seq, at and the progress token in front. */
export function encodeEventBodies(
  { callId, tool, trace: { traceId } }: Pick<NewCall, 'callId' | 'tool' | 'trace'>,
  events: readonly EventDraft[],
): readonly EventBody[] {
  const envelope = JSON.stringify({ traceId, callId, tool })
  return events.map((draft) => encodeEventBody(callId, envelope, draft))
}

function encodeEventBody(callId: string, envelope: string, { event, data }: EventDraft): EventBody {
  const body = joinObjects(envelope, JSON.stringify(data))
  // Measured on what is written anyway: a result is written a second time only where it may be too large.
  if (event === 'complete' && Buffer.byteLength(body) > MAX_EVENT_RESULT_BYTES) {
    const { result, content, ...rest } = data
    const largeResult = JSON.stringify({ result, content })
    const resultBytes = Buffer.byteLength(largeResult)
    if (resultBytes > MAX_EVENT_RESULT_BYTES) {
      const link = { resultLink: `/calls/${callId}`, resultBytes }
      return { event, body: joinObjects(envelope, JSON.stringify({ ...rest, ...link })), largeResult }
    }
  }
  return { event, body }
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
