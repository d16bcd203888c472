import { randomInt } from 'node:crypto'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { TraceRef } from '@synchub/core'
import type { TraceSummary } from '@synchub/protocol'
import { createTraceList, type TraceList, type TraceQuery } from '../../src/index.js'
import { complete, FAILED, newCall, RECEIVED, REFUSED, recordEnded, recordRunning } from '../call/sample-call.js'
import { ManualClock } from '../clock/manual-clock.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore } from '../place/test-store.js'

const QUERY: TraceQuery = { tenant: 'acme', owner: 'alice', filter: {}, limit: 10 }

const traceOf = (owner: string, number: number): TraceRef => ({ tenant: 'acme', owner, traceId: `t-${number}` })

/** How traces are listed. */
export function describeTraceList(place: RedisPlace): void {
  afterEach(closeAll)

  const open = async () => {
    const clock = new ManualClock()
    const store = await openTestStore(place, { clock })
    return { clock, store, list: createTraceList(store.link, clock) }
  }

  describe('the list of traces', () => {
    test('is empty where there are none', async () => {
      const { list } = await open()
      expect(await list.newest(QUERY)).toEqual({ items: [] })
      expect(await list.changedSince({ ...QUERY, owner: 'bob' }, 0)).toEqual({ items: [] })
      expect(await list.ownersOf('acme', 't-1')).toEqual([])
    })

    test('shows the newest first, in pages, to the last one', async () => {
      const { clock, store, list } = await open()
      for (let number = 0; number < 25; number++) {
        clock.advance(5)
        await recordRunning(store, { trace: traceOf('alice', number) })
      }
      const pages = await readPages((cursor) => list.newest({ ...QUERY, ...cursor }))
      expect(pages.map((page) => page.length)).toEqual([10, 10, 5])
      expect(pages.flat().map(({ traceId }) => traceId)).toEqual(Array.from({ length: 25 }, (_, at) => `t-${24 - at}`))
      expect(pages[0]?.[0]).toMatchObject({
        state: 'running',
        rootTool: 'generate_schema',
        rootAgent: 'SyncBoot',
        caller: 'SyncVerse',
        lastSeq: 3,
      })
    })

    test('shows each trace once, however many were made in the same instant by several owners', async () => {
      const { clock, store, list } = await open()
      const owners = ['alice', 'bob', 'carol']
      const traces = Array.from({ length: 330 }, (_, number) => traceOf(owners[randomInt(3)] ?? '', number))
      await Promise.all(traces.map((trace) => recordRunning(store, { trace })))
      clock.advance(1)
      await recordRunning(store, { trace: traceOf('bob', 1000) })
      const { owner: _all, ...query } = { ...QUERY, limit: 7 }
      const names = (page: readonly TraceSummary[]) => page.map(({ owner, traceId }) => `${owner}/${traceId}`)
      const newest = names((await readPages((cursor) => list.newest({ ...query, ...cursor }))).flat())
      expect(newest[0]).toBe('bob/t-1000')
      expect(newest.slice(1).toSorted()).toEqual(traces.map(({ owner, traceId }) => `${owner}/${traceId}`).toSorted())
      const changed = names((await readPages((cursor) => list.changedSince({ ...query, ...cursor }, 0))).flat())
      expect(changed.at(-1)).toBe('bob/t-1000')
      expect(changed).toEqual(newest.toReversed())
    })

    test('does not show a trace again, nor leave one out, when others are made between the pages', async () => {
      const { clock, store, list } = await open()
      for (let number = 0; number < 12; number++) {
        clock.advance(number % 2)
        await recordRunning(store, { trace: traceOf('alice', number) })
      }
      const before = (await list.newest({ ...QUERY, limit: 100 })).items
      let made = 100
      const pages = await readPages(async (cursor) => {
        const page = await list.newest({ ...QUERY, limit: 3, ...cursor })
        clock.advance(1)
        await recordRunning(store, { trace: traceOf('alice', made++) })
        return page
      })
      expect(pages.flat()).toEqual(before)
    })

    test('finds what a filter wants behind many that it does not want', async () => {
      const { clock, store, list } = await open()
      await recordEnded(store, FAILED, { trace: traceOf('alice', 0), tool: 'rare', caller: 'Rare' })
      clock.advance(1000)
      await Promise.all(
        Array.from({ length: 450 }, (_, number) => recordRunning(store, { trace: traceOf('alice', number + 1) })),
      )
      for (const filter of [{ states: ['failed', 'unknown'] }, { tool: 'rare' }, { caller: 'Rare' }] as const) {
        const pages = await readPages((cursor) => list.newest({ ...QUERY, filter, ...cursor }))
        expect(pages.flat().map(({ traceId }) => traceId)).toEqual(['t-0'])
      }
      const fromMs = clock.now()
      expect((await list.newest({ ...QUERY, limit: 1000, filter: { fromMs } })).items).toHaveLength(450)
      const older = { fromMs: fromMs - 1000, toMs: fromMs }
      expect((await list.newest({ ...QUERY, filter: older })).items.map(({ traceId }) => traceId)).toEqual(['t-0'])
      expect((await list.newest({ ...QUERY, filter: { toMs: fromMs - 1000 } })).items).toEqual([])
      expect((await list.newest({ ...QUERY, filter: { states: ['unknown'] } })).items).toEqual([])
    })

    test('tells what began or ended since an instant, the oldest change first', async () => {
      const { clock, store, list } = await open()
      const first = await recordRunning(store, { trace: traceOf('alice', 1) })
      clock.advance(10)
      await recordRunning(store, { trace: traceOf('alice', 2) })
      clock.advance(10)
      const sinceMs = clock.now()
      await store.log.record(newCall({ trace: traceOf('alice', 3) }), [RECEIVED, REFUSED])
      clock.advance(10)
      await store.log.change({ call: first, events: [complete()] })
      const { items } = await list.changedSince(QUERY, sinceMs)
      expect(items.map(({ traceId, state }) => [traceId, state])).toEqual([
        ['t-3', 'refused'],
        ['t-1', 'completed'],
      ])
    })

    test('does not forget a change because the clock of another writer is behind', async () => {
      const { clock, store, list } = await open()
      const behind = new ManualClock(clock.now() - 60_000)
      const other = await openTestStore(place, { prefix: store.prefix, clock: behind })
      const call = await recordRunning(store, { trace: traceOf('alice', 1) })
      await other.log.change({ call, events: [complete()] })
      const { items } = await list.changedSince(QUERY, clock.now())
      expect(items.map(({ traceId, state }) => [traceId, state])).toEqual([['t-1', 'completed']])
    })

    test('keeps tenants and owners apart, an owner named "all" too', async () => {
      const { store, list } = await open()
      await recordRunning(store, { trace: traceOf('alice', 1) })
      await recordRunning(store, { trace: traceOf('bob', 1) })
      await recordRunning(store, { trace: { tenant: 'globex', owner: 'alice', traceId: 't-1' } })
      const shown = async (query: Partial<TraceQuery>) => (await list.newest({ ...QUERY, ...query })).items.length
      expect(await shown({})).toBe(1)
      expect(await shown({ owner: 'all' })).toBe(0)
      expect(await shown({ owner: '' })).toBe(0)
      expect(await shown({ tenant: 'globex' })).toBe(1)
      expect(await shown({ tenant: 'initech' })).toBe(0)
      const { owner: _all, ...tenant } = QUERY
      expect((await list.newest(tenant)).items.map(({ owner }) => owner).toSorted()).toEqual(['alice', 'bob'])
      expect((await list.ownersOf('acme', 't-1')).toSorted()).toEqual(['alice', 'bob'])
      expect(await list.ownersOf('globex', 't-1')).toEqual(['alice'])
      expect(await list.ownersOf('acme', 't-2')).toEqual([])
    })

    test('leaves out what was announced and never recorded', async () => {
      const { store, list } = await open()
      await recordRunning(store, { trace: traceOf('alice', 1) })
      await store.link.commands.zadd(store.link.keys.traces('acme', 'alice'), 1_900_000_000_000, 't-9')
      expect((await list.newest(QUERY)).items.map(({ traceId }) => traceId)).toEqual(['t-1'])
    })

    test.each(['', 'x', '1.5/a/b', '-1/a/b', '9999999999999999999/a/b'])('refuses the cursor %j', async (cursor) => {
      const { list } = await open()
      await expect(list.newest({ ...QUERY, cursor })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    })
  })
}

/** Follows the cursors to the last page. */
async function readPages(
  read: (cursor: { readonly cursor?: string }) => ReturnType<TraceList['newest']>,
): Promise<(readonly TraceSummary[])[]> {
  const pages: (readonly TraceSummary[])[] = []
  for (let cursor: { readonly cursor?: string } = {}; ; ) {
    const { items, nextCursor } = await read(cursor)
    pages.push(items)
    if (nextCursor === undefined) return pages
    cursor = { cursor: nextCursor }
  }
}
