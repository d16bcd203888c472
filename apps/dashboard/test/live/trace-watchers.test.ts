import { describe, expect, test } from '@jest/globals'
import type { TraceEventItem } from '@synchub/client'
import type { TraceView } from '@synchub/protocol'
import type { EngineMessage } from '../../src/live/live-message.js'
import {
  deliverEvent,
  deliverSnapshot,
  flushWatchers,
  type WatchedTrace,
  type Watcher,
} from '../../src/live/trace-watchers.js'

function watcherOf(messages: EngineMessage[]): Watcher {
  return { port: { postMessage: (message) => void messages.push(message) }, watch: 1, lastSeq: undefined, waiting: [] }
}

const traceOf = (...watchers: Watcher[]): WatchedTrace => ({
  traceId: 't',
  owner: undefined,
  watchers: new Set(watchers),
  after: '1-a',
})
const event = (seq: number) => ({ kind: 'event', id: `${seq}-a`, event: 'progress', data: { seq } }) as TraceEventItem
const snapshot = (lastSeq: number) => ({ traceId: 't', lastSeq }) as TraceView
const seqsOf = (messages: readonly EngineMessage[]): (number | string)[] =>
  messages.flatMap((message): (number | string)[] =>
    message.kind === 'events' ? message.events.map(({ data }) => data.seq) : [message.kind],
  )

describe('a tab that joins a trace which others watch', () => {
  test('gets what came while its snapshot was on the way, once and in order', () => {
    const messages: EngineMessage[] = []
    const watcher = watcherOf(messages)
    const trace = traceOf(watcher)
    deliverEvent(trace, event(4))
    deliverEvent(trace, event(5))
    deliverEvent(trace, event(6))
    flushWatchers([trace])
    expect(messages).toEqual([])
    deliverSnapshot(watcher, snapshot(5))
    flushWatchers([trace])
    expect(seqsOf(messages)).toEqual(['snapshot', 6])
  })

  test('gets nothing twice when the stream falls back behind its snapshot', () => {
    const messages: EngineMessage[] = []
    const watcher = watcherOf(messages)
    const trace = traceOf(watcher)
    deliverSnapshot(watcher, snapshot(5))
    for (const seq of [3, 4, 5, 6]) deliverEvent(trace, event(seq))
    flushWatchers([trace])
    flushWatchers([trace])
    expect(seqsOf(messages)).toEqual(['snapshot', 6])
  })
})
