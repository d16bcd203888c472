import { expect, test } from '@jest/globals'
import type { Client, EventPagesOptions, TraceEventItem } from '@synchub/client'
import { HubError, type TraceView } from '@synchub/protocol'
import type { TraceListener } from '../../src/live/live-connection.js'
import { type LiveSource, TraceFeed } from '../../src/pages/trace/model/trace-feed.js'

const AT = '2026-01-01T00:00:00.000Z'

const event = (seq: number) =>
  ({ kind: 'event', id: `${seq}-1`, event: 'progress', data: { seq, at: AT, callId: 'root' } }) as TraceEventItem

const SNAPSHOT: TraceView = {
  traceId: 't',
  owner: 'alice',
  state: 'running',
  rootTool: 'plan',
  rootAgent: 'Planner',
  caller: 'Shop',
  callCount: 1,
  openCalls: 1,
  lastSeq: 4,
  createdAt: AT,
  updatedAt: AT,
  links: {},
  cursor: '4-1',
  calls: [],
  truncated: false,
}

type Read = () => AsyncIterable<readonly TraceEventItem[]>

/** A feed whose log is read as told, one reading after the other, and which has its snapshot. */
function openFeed(readings: readonly Read[]) {
  const asked: (string | undefined)[] = []
  const client = {
    eventPages: (_traceId: string, { from }: EventPagesOptions = {}) => {
      asked.push(from)
      const read = readings[asked.length - 1]
      if (read === undefined) throw new Error('the log was read more often than expected')
      return read()
    },
  } as Pick<Client, 'eventPages'> as Client
  const feed = new TraceFeed(client, 't', undefined)
  const listeners: TraceListener[] = []
  const live: LiveSource = {
    watch: (_traceId, _owner, listener) => {
      listeners.push(listener)
      return () => undefined
    },
  }
  feed.start(live)
  listeners[0]?.onSnapshot(SNAPSHOT)
  return { feed, asked, deliver: (events: TraceEventItem[]) => listeners[0]?.onEvents(events) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a log that could not be read on was loading for ever: it says why, and is read on from there when asked', async () => {
  const { feed, asked, deliver } = openFeed([
    async function* () {
      yield [event(1), event(2)]
      throw new HubError('INTERNAL_ERROR', 'answered with status 500')
    },
    async function* () {
      yield [event(2), event(3), event(4)]
    },
  ])
  await settled()
  deliver([event(5)])
  expect(feed.read()).toMatchObject({ failure: null, logFailure: { reason: 'answered with status 500' } })
  expect(feed.read().events.map(({ data }) => data.seq)).toEqual([1, 2])
  feed.loadLog()
  expect(feed.read().logFailure).toBeNull()
  await settled()
  expect(feed.read().events.map(({ data }) => data.seq)).toEqual([1, 2, 3, 4, 5])
  expect(asked).toEqual([undefined, '2-1'])
})

test('a trace that is gone by the time its log is read says so in place of itself', async () => {
  const { feed } = openFeed([
    async function* () {
      yield await Promise.reject<TraceEventItem[]>(new HubError('NOT_FOUND', 'no such trace'))
    },
  ])
  await settled()
  expect(feed.read()).toMatchObject({ failure: { code: 'NOT_FOUND' }, logFailure: null })
})
