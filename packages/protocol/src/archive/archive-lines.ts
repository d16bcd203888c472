import type { CallSummary, TraceSummary } from '../calls/views.js'
import type { JsonObject } from '../json-rpc/frame.js'

/** Version of the format; a reader refuses a later one, and reads all earlier ones. */
export const ARCHIVE_VERSION = 1

/** What the first line of an archive says. */
export interface ArchiveHeader {
  readonly archive: 'synchub-trace'
  readonly version: number
  /** Program and version that wrote it. */
  readonly writtenBy: string
  /** Instant, ISO 8601. */
  readonly writtenAt: string
  /** The tenant, where the writer knows it. */
  readonly tenant?: string
  /** The trace as it stood. */
  readonly trace: TraceSummary
}

/** A result that was too large for its event. */
export interface ArchivedResult {
  readonly callId: string
  readonly result?: unknown
  readonly content?: unknown
}

/*
 * An archive is one trace as lines of JSON: its header; each call before its first event; its events in order, and behind each the
 * result that was too large for it; the number of events, so that a file that was cut off does not pass for a whole one.
 */

/** The first line. */
export function encodeArchiveHeader(header: Omit<ArchiveHeader, 'archive' | 'version'>): string {
  return toLine({ archive: 'synchub-trace', version: ARCHIVE_VERSION, ...header })
}

/** A call, without its arguments. */
export function encodeArchiveCall(call: CallSummary): string {
  return toLine({ call })
}

/** An event as watchers saw it. @param data - its JSON text */
export function encodeArchiveEvent({ id, event, data }: Readonly<Record<'id' | 'event' | 'data', string>>): string {
  return `{"event":${JSON.stringify(event)},"id":${JSON.stringify(id)},"data":${data}}\n`
}

/** A result that was too large for its event. */
export function encodeArchiveResult(result: ArchivedResult): string {
  return toLine({ result })
}

/** The last line. */
export function encodeArchiveEnd(events: number): string {
  return toLine({ end: { events } })
}

function toLine(value: JsonObject): string {
  return `${JSON.stringify(value)}\n`
}
