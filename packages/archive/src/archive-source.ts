import {
  type ArchivedResult,
  type ArchiveHeader,
  type CallSummary,
  encodeArchiveCall,
  encodeArchiveEnd,
  encodeArchiveEvent,
  encodeArchiveHeader,
  encodeArchiveResult,
} from '@synchub/protocol'

/** An event on its way into an archive. */
export interface ArchivedEvent {
  readonly id: string
  readonly event: string
  /** Its data as JSON text. */
  readonly data: string
  readonly seq: number
  readonly callId: string
}

/** Where what an archive holds comes from: a hub, or its store. */
export interface ArchiveSource extends Pick<ArchiveHeader, 'trace' | 'tenant'> {
  /** The events from the first that is kept, in order. */
  pages(): AsyncIterable<readonly ArchivedEvent[]>
  /** The call without its arguments; null where it is gone. */
  callOf(callId: string): Promise<CallSummary | null>
  /** The result of a call that was too large for its event. */
  resultOf(callId: string): Promise<ArchivedResult>
}

/** Program and version that write an archive, and when. */
export type ArchiveWriter = Pick<ArchiveHeader, 'writtenBy' | 'writtenAt'>

/** The lines of an archive, with nothing of it held but one page. */
export async function* archiveLines(source: ArchiveSource, writer: ArchiveWriter): AsyncGenerator<string, undefined> {
  const { trace, tenant } = source
  yield encodeArchiveHeader({ ...writer, ...(tenant === undefined ? {} : { tenant }), trace })
  const calls = new Set<string>()
  let events = 0
  for await (const page of source.pages()) {
    for (const event of page) {
      // It has begun anew since it was looked at: what came then belongs to the next archive.
      if (event.seq > trace.lastSeq) continue
      if (!calls.has(event.callId)) {
        calls.add(event.callId)
        const call = await source.callOf(event.callId)
        if (call !== null) yield encodeArchiveCall(call)
      }
      yield encodeArchiveEvent(event)
      events++
      if (event.event === 'complete' && event.data.includes('"resultLink":')) {
        yield encodeArchiveResult(await source.resultOf(event.callId))
      }
    }
  }
  yield encodeArchiveEnd(events)
}
