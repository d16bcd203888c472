import { afterEach, describe, expect, test } from '@jest/globals'
import { complete, progress, readEvents, recordEnded, recordRunning, TRACE } from '../call/sample-call.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore, removeTrace, type TestStore } from '../place/test-store.js'

/** How cursors are judged (invariant 2). */
export function describeCursors(place: RedisPlace): void {
  afterEach(closeAll)

  describe('a cursor', () => {
    test('is good while its very entry exists', async () => {
      const store = await openTestStore(place)
      const ids = await writeEvents(store, 6)
      for (const id of ids) expect(await store.reader.judgeCursor(TRACE, id)).toBeNull()
      expect((await store.reader.readAfter(TRACE, ids[2] ?? '', 2)).map(({ id }) => id)).toEqual(ids.slice(3, 5))
      expect(await store.reader.readAfter(TRACE, ids.at(-1) ?? '', 10)).toEqual([])
    })

    test('is trimmed once its entry was cut off the log', async () => {
      const store = await openTestStore(place)
      const ids = await writeEvents(store, 10)
      await store.link.commands.xtrim(store.link.keys.trace(TRACE).log, 'MAXLEN', 4)
      const verdicts = await Promise.all(ids.map((id) => store.reader.judgeCursor(TRACE, id)))
      expect(verdicts).toEqual([...Array(6).fill('trimmed'), ...Array(4).fill(null)])
      await store.link.commands.xtrim(store.link.keys.trace(TRACE).log, 'MAXLEN', 0)
      expect(await store.reader.judgeCursor(TRACE, ids.at(-1) ?? '')).toBe('trimmed')
    })

    test('is of the future where the log has not come so far, or is not there', async () => {
      const store = await openTestStore(place)
      const ids = await writeEvents(store, 4)
      const tag = ids[0]?.split('-')[1]
      expect(await store.reader.judgeCursor(TRACE, `5-${tag}`)).toBe('future')
      expect(await store.reader.judgeCursor(TRACE, '999999999999999-4294967295')).toBe('future')
      expect(await store.reader.judgeCursor({ ...TRACE, traceId: 'other' }, ids[0] ?? '')).toBe('future')
    })

    test.each([
      ['another writer', true],
      ['the same writer, which has outlived the loss', false],
    ])('is replaced when the log was lost and begun anew by %s', async (_who, isAnother) => {
      const store = await openTestStore(place)
      const ids = await writeEvents(store, 6)
      await removeTrace(store.link, TRACE)
      const successor = isAnother ? await openTestStore(place, { prefix: store.prefix }) : store
      const newIds = await writeEvents(successor, 4)
      const verdicts = await Promise.all(ids.map((id) => store.reader.judgeCursor(TRACE, id)))
      expect(verdicts).toEqual([...Array(4).fill('replaced'), 'future', 'future'])
      for (const id of newIds) expect(await store.reader.judgeCursor(TRACE, id)).toBeNull()
    })

    test('is good only in its own trace', async () => {
      const store = await openTestStore(place)
      const [first = ''] = await writeEvents(store, 4)
      for (const other of [{ tenant: 'globex' }, { owner: 'bob' }, { traceId: 'trace-2' }]) {
        expect(await store.reader.judgeCursor({ ...TRACE, ...other }, first)).toBe('future')
      }
    })

    test.each([
      '',
      '1',
      '1-',
      '-1',
      '0-0',
      '0-5',
      'abc',
      '1-2-3',
      ' 1-2',
      '1-2 ',
      '1-2\n',
      '1-2\u0000',
      '1.5-2',
      '1e3-2',
      '-',
      '+',
      '$',
      '(1-2',
      '01-2',
      '1-02',
      '\u0661-2',
      `${'9'.repeat(16)}-1`,
      '1-99999999999',
      '1-2,3-4',
    ])('is nonsense as %j', async (cursor) => {
      const store = await openTestStore(place)
      await writeEvents(store, 3)
      expect(await store.reader.judgeCursor(TRACE, cursor)).toBe('invalid')
    })
  })

  describe('the head of a log', () => {
    test('is the last event with the calls that are open', async () => {
      const store = await openTestStore(place)
      expect(await store.reader.head(TRACE)).toBeNull()
      await recordRunning(store)
      await recordEnded(store, complete())
      const events = await readEvents(store)
      const last = events.at(-1)
      const id = last?.id
      const atMs = Date.parse(String(last?.data.at))
      expect(await store.reader.head(TRACE)).toEqual({ seq: 7, id, openCalls: 1, atMs })
    })
  })
}

/** Writes events of one call; gives their ids. */
async function writeEvents(store: TestStore, count: number): Promise<string[]> {
  const call = await recordRunning(store)
  for (let value = 4; value <= count; value++) await store.log.change({ call, events: [progress(value)] })
  return (await readEvents(store)).map(({ id }) => id)
}
