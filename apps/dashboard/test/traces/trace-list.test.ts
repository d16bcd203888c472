import { afterEach, describe, expect, jest, test } from '@jest/globals'
import type { Client, TraceFilter } from '@synchub/client'
import { HubError, type TraceSummary } from '@synchub/protocol'
import { runBulk } from '../../src/pages/traces/bulk.js'
import { TraceList } from '../../src/pages/traces/trace-list.js'
import { appendPage, mergeTraces } from '../../src/pages/traces/trace-order.js'
import { hasWishedState, readWish, toFilter, writeWish } from '../../src/pages/traces/trace-query.js'

function trace(number: number, more: Partial<TraceSummary> = {}): TraceSummary {
  const createdAt = new Date(1_800_000_000_000 + number * 1000).toISOString()
  return {
    traceId: `t-${number}`,
    owner: 'alice',
    state: 'running',
    rootTool: 'x',
    rootAgent: 'A',
    caller: 'C',
    callCount: 1,
    openCalls: 1,
    lastSeq: 3,
    createdAt,
    updatedAt: createdAt,
    links: {},
    ...more,
  }
}

const idsOf = (traces: readonly TraceSummary[]) => traces.map(({ traceId }) => traceId)
const all = () => true

describe('news that come into a list', () => {
  test('stand at their place, newest first, and replace what was there', () => {
    const list = [trace(5), trace(3), trace(1)]
    const merged = mergeTraces(list, [trace(4), trace(6), trace(3, { state: 'completed', lastSeq: 9 })], all, false)
    expect(idsOf(merged)).toEqual(['t-6', 't-5', 't-4', 't-3', 't-1'])
    expect(merged[3]?.state).toBe('completed')
  })

  test('never put an older state over a newer one', () => {
    const merged = mergeTraces([trace(1, { state: 'completed', lastSeq: 9 })], [trace(1, { lastSeq: 5 })], all, false)
    expect(merged[0]?.state).toBe('completed')
  })

  test('take out what is not wanted any more, and leave what is older to its page', () => {
    const isRunning = ({ state }: TraceSummary) => state === 'running'
    const merged = mergeTraces([trace(5), trace(3)], [trace(5, { state: 'failed' }), trace(1)], isRunning, true)
    expect(idsOf(merged)).toEqual(['t-3'])
  })
})

describe('the next page of a list', () => {
  test('stands behind it, without what news had brought before, also where several began in one instant', () => {
    const twin = trace(3, { traceId: 't-3b' })
    const list = [trace(5), trace(3), trace(1)]
    expect(idsOf(appendPage(list, [twin, trace(3), trace(2), trace(1)]))).toEqual(['t-5', 't-3', 't-1', 't-3b', 't-2'])
    expect(appendPage(list, [])).toBe(list)
  })
})

describe('what a person wants to see', () => {
  test('comes out of the URL as it went in, and nonsense is passed over', () => {
    const params = new URLSearchParams('state=failed&tool=x&minutes=60&other=1&caller=')
    expect(readWish(params)).toEqual({ state: 'failed', tool: 'x', minutes: 60 })
    expect(readWish(new URLSearchParams('state=dancing&minutes=7'))).toEqual({})
    expect(writeWish(params, { tool: undefined, text: 'a b' }).toString()).toBe(
      'state=failed&minutes=60&other=1&caller=&text=a+b',
    )
  })

  test('asks with one word for all that went wrong, and keeps each of it', () => {
    const wish = readWish(new URLSearchParams('state=bad'))
    expect(toFilter(wish, 0).states).toEqual(['unknown', 'failed', 'tool_failed', 'refused'])
    expect((['tool_failed', 'completed', 'running'] as const).map((state) => hasWishedState({ state }, wish))).toEqual([
      true,
      false,
      false,
    ])
  })

  test('asks the hub for a period by its beginning', () => {
    expect(toFilter({ minutes: 15, agent: 'A' }, 1_800_000_000_000)).toEqual({
      agent: 'A',
      from: new Date(1_800_000_000_000 - 900_000).toISOString(),
    })
  })
})

describe('the list', () => {
  afterEach(() => void jest.useRealTimers())

  test('shows at once what notices tell, and asks for what changed without the state', async () => {
    const asked: TraceFilter[] = []
    const pages = [
      { items: [trace(2), trace(1)], asOf: 'first' },
      { items: [trace(3)], asOf: 'second' },
    ]
    const client = {
      traces: (filter: TraceFilter) => {
        asked.push(filter)
        return Promise.resolve(pages[asked.length - 1])
      },
    } as Pick<Client, 'traces'> as Client
    const list = new TraceList(client, { state: 'running' })
    await list.loadMore()
    expect(list.read()).toMatchObject({ goesOn: false, isFirst: false })
    list.applyChanges([{ kind: 'change', traceId: 't-1', owner: 'alice', seq: 9, state: 'completed' }])
    expect(idsOf(list.read().traces)).toEqual(['t-2'])
    await new Promise<void>((resolve) => {
      list.subscribe(resolve)
    })
    expect(idsOf(list.read().traces)).toEqual(['t-3', 't-2'])
    expect(asked[0]).toMatchObject({ states: ['running'] })
    expect(asked[1]).toMatchObject({ since: 'first' })
    expect(asked[1]?.states).toBeUndefined()
  })

  test('whose first page failed is asked for again once the hub is heard of', async () => {
    jest.useFakeTimers()
    const page = { items: [trace(1)], asOf: 'first' }
    let asked = 0
    const client = {
      traces: () => (asked++ === 0 ? Promise.reject(new HubError('HUB_UNAVAILABLE', 'away')) : Promise.resolve(page)),
    } as Pick<Client, 'traces'> as Client
    const list = new TraceList(client, {})
    await list.loadMore()
    expect(list.read()).toMatchObject({ traces: [], failure: { code: 'HUB_UNAVAILABLE' } })
    list.askForNews()
    await jest.advanceTimersByTimeAsync(700)
    expect(idsOf(list.read().traces)).toEqual(['t-1'])
    expect(list.read().failure).toBeNull()
  })

  test('does not lose what changed while an answer was on its way', async () => {
    jest.useFakeTimers()
    const pages = [[], [], [trace(1)]].map((items) => ({ items, asOf: 'now' }))
    let asked = 0
    const client = {
      traces: () => {
        if (asked === 1)
          list.applyChanges([{ kind: 'change', traceId: 't-1', owner: 'alice', seq: 1, state: 'running' }])
        return Promise.resolve(pages[asked++])
      },
    } as Pick<Client, 'traces'> as Client
    const list = new TraceList(client, {})
    await list.loadMore()
    list.askForNews()
    await jest.advanceTimersByTimeAsync(1400)
    expect(idsOf(list.read().traces)).toEqual(['t-1'])
    await jest.advanceTimersByTimeAsync(5000)
    expect(asked).toBe(3)
  })
})

describe('what is done with many', () => {
  test('goes on past one that fails, and says of each what became of it', async () => {
    const node = (callId: string, state: string) => ({ callId, state, children: [] })
    const views: Record<string, unknown> = {
      't-1': { calls: [node('a', 'running')] },
      't-2': { calls: [node('b', 'completed')] },
    }
    const cancelled: string[] = []
    const client = {
      trace: (traceId: string) =>
        views[traceId] === undefined
          ? Promise.reject(new HubError('FORBIDDEN', 'not yours'))
          : Promise.resolve(views[traceId]),
      cancel: (callId: string) => {
        cancelled.push(callId)
        return Promise.resolve({ callId, state: 'cancelled', cancelled: true })
      },
    } as Pick<Client, 'trace' | 'cancel'> as Client
    const steps: number[] = []
    const end = await runBulk(client, 'cancel', [trace(1), trace(2), trace(3)], ({ done }) => void steps.push(done))
    expect(cancelled).toEqual(['a'])
    expect(steps).toEqual([1, 2, 3])
    expect(end).toMatchObject({
      succeeded: 1,
      endedBefore: 1,
      failed: 1,
      failure: { code: 'FORBIDDEN', reason: 'not yours' },
    })
  })
})
