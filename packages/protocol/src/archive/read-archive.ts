import { HubError } from '../errors/hub-error.js'
import { isEventName, isTraceEvent } from '../events/raw-event.js'
import type { TraceEvent } from '../events/trace-event.js'
import { isJsonObject, type JsonObject } from '../json-rpc/frame.js'
import { ARCHIVE_VERSION } from './archive-lines.js'

/** What an archive holds, in the order of its lines; all but events is as it was written. */
export type ArchiveItem =
  | { readonly kind: 'header'; readonly version: number; readonly trace: JsonObject }
  | { readonly kind: 'call'; readonly call: JsonObject }
  | ({ readonly kind: 'event' } & TraceEvent)
  | { readonly kind: 'result'; readonly result: JsonObject }

/**
 * Reads an archive, line by line as it comes. What a later version of the same format has added is passed over.
 * @throws HubError INVALID_PARAMS naming the line that is broken
 */
export async function* readArchive(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<ArchiveItem, undefined> {
  let line = 0
  let events = 0
  let isEnded = false
  for await (const text of lines) {
    line++
    if (text.trim() === '') continue
    const record = parseLine(text, line)
    if (isEnded) throw broken(line, 'stands behind the last line')
    if (line === 1) {
      yield readHeader(record)
      continue
    }
    if (isJsonObject(record.end)) {
      if (record.end.events !== events) {
        throw broken(line, `says that there are ${String(record.end.events)} events, and there are ${events}`)
      }
      isEnded = true
    }
    // Events of a later version are counted too.
    if (record.event !== undefined) events++
    const item = readItem(record, line)
    if (item !== undefined) yield item
  }
  if (line === 0) throw broken(1, 'is missing: the file is empty')
  if (!isEnded) throw broken(line, 'is not the last one that was written: the file was cut off')
}

function readHeader({ archive, version, trace }: JsonObject): ArchiveItem {
  if (archive !== 'synchub-trace' || typeof version !== 'number' || !isJsonObject(trace)) {
    throw broken(1, 'is no header of an archive: this is no file of "synchub traces export"')
  }
  if (version <= ARCHIVE_VERSION) return { kind: 'header', version, trace }
  const nextStep = 'Update synchub, and play it then.'
  throw broken(1, `tells of version ${version} of the format, and this program knows ${ARCHIVE_VERSION}`, nextStep)
}

function readItem({ call, event, id, data, result }: JsonObject, line: number): ArchiveItem | undefined {
  if (isJsonObject(call)) return { kind: 'call', call }
  if (isJsonObject(result)) return { kind: 'result', result }
  if (event === undefined) return undefined
  if (typeof event !== 'string' || typeof id !== 'string') throw broken(line, 'is no event with a name and an id')
  const raw = { id, event, data }
  if (isTraceEvent(raw)) return { kind: 'event', ...raw }
  if (isEventName(event)) throw broken(line, `is an event "${event}" that is not whole`)
  return undefined
}

function parseLine(text: string, line: number): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch (cause) {
    throw broken(line, `is not JSON (${cause instanceof Error ? cause.message : String(cause)})`)
  }
  throw broken(line, 'is no JSON object')
}

function broken(
  line: number,
  what: string,
  nextStep = 'Take another copy of the file, or export the trace again.',
): HubError {
  return new HubError('INVALID_PARAMS', `line ${line} ${what}`, { nextStep })
}
