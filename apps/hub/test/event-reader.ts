import { type JsonObject, readSse, type SseItem } from '@synchub/protocol'
import { atEnd } from './cleanup.js'
import type { SentHeaders } from './hub-requests.js'

/** An event with its data decoded. */
export interface ReadEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: JsonObject
  /** The line as it came. */
  readonly text: string
}

/** An open event stream under test. */
export interface EventReader {
  readonly response: Response
  /** Everything that came so far. */
  readonly events: readonly ReadEvent[]
  readonly comments: number
  readonly retryMs: number | undefined
  /** Whether the stream is over, from whichever side. */
  readonly isOver: boolean
  /** Settles when the stream is over. */
  readonly over: Promise<void>
  /** The first event that came or comes with this name, from the given place on. */
  next(event: string, from?: number): Promise<ReadEvent>
  /** Waits until so many events have come. */
  count(events: number): Promise<void>
  close(): void
}

const MAX_EVENT_BYTES = 64 * 1024 * 1024

/** Reads a response as a stream of events in the background. */
export function readEvents(response: Response, controller: AbortController): EventReader {
  const events: ReadEvent[] = []
  const waiting = new Set<() => void>()
  const state: { comments: number; retryMs: number | undefined; isOver: boolean } = {
    comments: 0,
    retryMs: undefined,
    isOver: false,
  }
  const wake = () => {
    for (const look of waiting) look()
  }
  const take = (item: SseItem) => {
    if (item.kind === 'comment') state.comments++
    else if (item.kind === 'retry') state.retryMs = item.delayMs
    else events.push({ id: item.id, event: item.event, data: JSON.parse(item.data) as JsonObject, text: item.data })
    wake()
  }
  const over = pump(response, take).finally(() => {
    state.isOver = true
    wake()
  })
  const close = () => controller.abort()
  atEnd(close)
  const waitFor = <T>(find: () => T | undefined, what: string) =>
    new Promise<T>((resolve, reject) => {
      const look = () => {
        const found = find()
        if (found === undefined && !state.isOver) return
        waiting.delete(look)
        if (found === undefined) reject(new Error(`the stream ended without ${what}, after ${describeEvents(events)}`))
        else resolve(found)
      }
      waiting.add(look)
      look()
    })
  return {
    response,
    events,
    get comments() {
      return state.comments
    },
    get retryMs() {
      return state.retryMs
    },
    get isOver() {
      return state.isOver
    },
    over,
    next: (event, from = 0) => waitFor(() => events.slice(from).find((seen) => seen.event === event), event),
    count: async (wanted) => {
      await waitFor(() => (events.length >= wanted ? true : undefined), `${wanted} events`)
    },
    close,
  }
}

function describeEvents(events: readonly ReadEvent[]): string {
  return events.map(({ event, text }) => `${event} ${text.slice(0, 300)}`).join('\n') || 'nothing'
}

async function pump(response: Response, take: (item: SseItem) => void): Promise<void> {
  if (response.body === null) return
  try {
    for await (const item of readSse(response.body, MAX_EVENT_BYTES)) take(item)
  } catch (thrown) {
    // How a connection ends that one of the two sides cuts; recognised by shape, since errors of fetch are of another realm.
    const name = typeof thrown === 'object' && thrown !== null && 'name' in thrown ? thrown.name : undefined
    if (name !== 'AbortError' && name !== 'TypeError') throw thrown
  }
}

/** Opens the event stream of a trace. */
export async function watchTrace(url: string, path: string, headers: SentHeaders = {}): Promise<EventReader> {
  const controller = new AbortController()
  const init = { headers: { Accept: 'text/event-stream', ...headers }, signal: controller.signal }
  return readEvents(await fetch(`${url}/traces/${path}`, init), controller)
}

/** Posts a frame whose answer is a stream. */
export async function postForStream(url: string, frame: JsonObject, headers: SentHeaders = {}): Promise<EventReader> {
  const controller = new AbortController()
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    body: JSON.stringify(frame),
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    signal: controller.signal,
  })
  return readEvents(response, controller)
}

/** Names of events in the order in which they came. */
export function namesOf(reader: EventReader): string[] {
  return reader.events.map(({ event }) => event)
}

/** Sequence numbers in the order in which they came. */
export function seqsOf(reader: EventReader): number[] {
  return reader.events.filter(({ data }) => typeof data.seq === 'number').map(({ data }) => Number(data.seq))
}
