import type { EventName } from '@synchub/protocol'

/** One entry of a trace log. `data` stays the text that was stored: readers send it on as it is. */
export interface LogEntry {
  readonly seq: number
  /** `<seq>-<tag>`; opaque to readers. */
  readonly id: string
  readonly event: EventName
  readonly callId: string
  readonly data: string
}

/** The end of a trace log, and how many of its calls are open. */
export interface TraceHead {
  readonly seq: number
  readonly id: string
  readonly openCalls: number
  /** Instant of the last event, in ms. */
  readonly atMs: number
}

// The order in which the entries are written; a value may look like a name.
const FIELD_ORDER = ['e', 'c', 'd']
// As the log writes it: a number from 1 and a 32-bit tag, without leading zeros.
const CURSOR = /^([1-9]\d{0,14})-(0|[1-9]\d{0,9})$/

/** The number in an entry's id; null for what was never an id. */
export function sequenceOf(id: string): number | null {
  const seq = CURSOR.exec(id)?.[1]
  return seq === undefined ? null : Number(seq)
}

/** Reads an entry as XRANGE gives it. */
export function decodeEntry([id, fields]: readonly [string, readonly string[]]): LogEntry {
  const value = (name: string) => fields[2 * FIELD_ORDER.indexOf(name) + 1] ?? ''
  return { seq: sequenceOf(id) ?? 0, id, event: value('e') as EventName, callId: value('c'), data: value('d') }
}

/** An entry as it was published, with the number of calls that were open after it. */
export interface LiveMessage {
  readonly entry: LogEntry
  readonly openCalls: number
}

/** Lines that tell of one event. */
const LINES = 5

/** Reads a message of a trace's channel: the events of one step, each as id, open calls, event, callId and data, one line each. */
export function decodeLiveMessages(message: string): LiveMessage[] {
  const lines = message.split('\n')
  const messages: LiveMessage[] = []
  for (let at = 0; at < lines.length; at += LINES) {
    const [id = '', openCalls = '', event = '', callId = '', data = ''] = lines.slice(at, at + LINES)
    const entry = { seq: sequenceOf(id) ?? 0, id, event: event as EventName, callId, data }
    messages.push({ entry, openCalls: Number(openCalls) })
  }
  return messages
}
