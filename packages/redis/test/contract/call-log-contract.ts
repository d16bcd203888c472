import { afterEach, describe, expect, test } from '@jest/globals'
import { createCallId, type NewCall } from '@synchub/core'
import {
  ACCEPTED,
  CANCELLED,
  complete,
  FAILED,
  findCall,
  newCall,
  progress,
  RECEIVED,
  REFUSED,
  readEvents,
  recordQueued,
  recordRunning,
  started,
  TRACE,
} from '../call/sample-call.js'
import { ManualClock } from '../clock/manual-clock.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { findKeys, openTestStore } from '../place/test-store.js'

/** What recording and changing calls must hold, wherever the store is. */
export function describeCallLog(place: RedisPlace): void {
  afterEach(closeAll)

  describe('recording a call', () => {
    test('gives back what was recorded', async () => {
      const store = await openTestStore(place)
      const call = newCall({
        parentCallId: createCallId(Date.now()),
        idempotency: { keyDigest: 'k', payloadDigest: 'p' },
        queueDeadlineAtMs: 1_900_000_000_000,
      })
      expect(await store.log.record(call, [RECEIVED, ACCEPTED])).toBe('recorded')
      const found = await findCall(store, call)
      expect(found).toEqual({ ...call, state: 'queued', attempt: 0, createdAtMs: expect.any(Number) })
      const { arguments: _left, ...outline } = found
      expect(await store.log.findOutline(call.callId)).toEqual(outline)
      expect(await store.log.findEnding(found)).toBeNull()
      expect(await store.log.isOpen(call.callId)).toBe(true)
      await store.log.change({ call, events: [CANCELLED] })
      expect(await store.log.isOpen(call.callId)).toBe(false)
      const nobody = createCallId(Date.now())
      expect([await store.log.find(nobody), await store.log.isOpen(nobody)]).toEqual([null, false])
      expect(await store.log.findOutline(nobody)).toBeNull()
    })

    test('numbers the events 1, 2, 3', async () => {
      const store = await openTestStore(place)
      const call = await recordQueued(store)
      await store.log.change({ call, events: [started(1)], opensAttempt: true, attempt: 0 })
      const events = await readEvents(store)
      expect(events.map(({ event }) => event)).toEqual(['received', 'accepted', 'started'])
      expect(events.map(({ id }) => id.split('-')[0])).toEqual(['1', '2', '3'])
      const envelope = { traceId: TRACE.traceId, callId: call.callId, tool: call.tool, at: expect.any(String) }
      expect(events.map(({ data }) => data)).toMatchObject([1, 2, 3].map((seq) => ({ ...envelope, seq })))
    })

    test('does nothing the second time', async () => {
      const store = await openTestStore(place)
      const call = await recordQueued(store)
      await store.log.change({ call, events: [started(1)], opensAttempt: true })
      expect(await store.log.record(call, [RECEIVED, ACCEPTED])).toBe('recorded')
      expect(await findCall(store, call)).toMatchObject({ state: 'running', attempt: 1 })
      expect(await readEvents(store)).toHaveLength(3)
      expect(await store.reader.snapshot(TRACE)).toMatchObject({ callCount: 1, openCalls: 1, lastSeq: 3 })
    })

    test('records a refusal as received and refused in one step', async () => {
      const store = await openTestStore(place)
      const call = newCall()
      await store.log.record(call, [RECEIVED, REFUSED])
      const found = await findCall(store, call)
      expect(found).toMatchObject({ state: 'refused', endedAtMs: expect.any(Number) })
      expect(await store.log.findEnding(found)).toMatchObject({ event: 'refused', data: REFUSED.data })
      expect(await store.reader.snapshot(TRACE)).toMatchObject({ state: 'refused', openCalls: 0, callCount: 1 })
    })

    test('refuses to read a call of a later version instead of guessing', async () => {
      const store = await openTestStore(place)
      const call = await recordQueued(store)
      await store.link.commands.hset(store.link.keys.trace(TRACE).call(call.callId), 'version', 2)
      await expect(store.log.find(call.callId)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
    })
  })

  describe('changing a call', () => {
    test('says what does not fit and leaves the call and its log alone', async () => {
      const store = await openTestStore(place)
      const call = await recordQueued(store)
      const refused = await store.log.change({ call, events: [complete()] })
      expect(refused).toEqual({ kind: 'not-allowed', state: 'queued' })
      expect(await store.log.change({ call: newCall(), events: [CANCELLED] })).toEqual({ kind: 'missing' })
      expect(await readEvents(store)).toHaveLength(2)
      expect(await findCall(store, call)).toMatchObject({ state: 'queued', attempt: 0 })
    })

    test('takes progress only if it rises, anew in each attempt', async () => {
      const store = await openTestStore(place)
      const call = await recordRunning(store)
      const report = async (attempt: number, value: number) =>
        (await store.log.change({ call, attempt, events: [progress(value)] })).kind
      expect(await report(1, 0)).toBe('changed')
      expect(await report(1, 0)).toBe('not-rising')
      expect(await report(1, 1e-7)).toBe('changed')
      expect(await report(1, 9.5)).toBe('changed')
      expect(await report(1, 9.25)).toBe('not-rising')
      expect(await report(1, 10)).toBe('changed')
      expect(await report(1, 1e21)).toBe('changed')
      expect(await report(1, 2e20)).toBe('not-rising')
      await store.log.change({ call, attempt: 1, events: [started(2)], opensAttempt: true })
      expect((await findCall(store, call)).progress).toBeUndefined()
      expect(await report(2, 3)).toBe('changed')
      const values = (await readEvents(store))
        .filter(({ event }) => event === 'progress')
        .map(({ data }) => data.progress)
      expect(values).toEqual([0, 1e-7, 9.5, 10, 1e21, 3])
    })

    test('has no room for a further call in a trace that holds as much as it may, and keeps every result all the same', async () => {
      const store = await openTestStore(place)
      const record = (own: Partial<NewCall> = {}) => store.log.record(newCall(own), [RECEIVED, ACCEPTED], 100_000)
      const parent = await recordRunning(store, { arguments: { text: 'x'.repeat(60_000) } })
      expect(await record({ arguments: { text: 'x'.repeat(40_000) } })).toBe('full')
      expect(await record()).toBe('recorded')
      // One in the log, one under a key of its own.
      for (const bytes of [30_000, 90_000]) {
        const call = await recordRunning(store)
        await store.log.change({ call, attempt: 1, events: [complete('y'.repeat(bytes))] })
        const ending = await store.log.findEnding(await findCall(store, call))
        expect(ending?.data.result).toHaveLength(bytes)
      }
      const before = await findKeys(store.link, `${store.prefix}:*`)
      expect(await record()).toBe('full')
      expect(await record({ parentCallId: parent.callId, parentAttempt: 1, depth: 2 })).toBe('full')
      const added = (await findKeys(store.link, `${store.prefix}:*`)).filter((key) => !before.includes(key))
      expect(added).toEqual([])
      expect(await record({ trace: { ...TRACE, traceId: 'another' } })).toBe('recorded')
      const bytes = Number(await store.link.commands.hget(store.link.keys.trace(TRACE).trace, 'bytes'))
      expect(bytes).toBeGreaterThan(180_000)
      expect(bytes).toBeLessThan(190_000)
    })

    test('has no room for a further call where an agent has asked as much as the trace may hold, in however many rounds', async () => {
      const store = await openTestStore(place)
      const call = await recordRunning(store)
      const inputRequests = { who: { method: 'elicitation/create', params: { message: 'x'.repeat(30_000) } } }
      for (let attempt = 1; attempt <= 3; attempt++) {
        await store.log.change({ call, events: [{ event: 'input_requested', data: { inputRequests } }] })
        const answered = { event: 'input_received', data: { answered: ['who'] } } as const
        await store.log.change({ call, events: [answered, started(attempt + 1)], opensAttempt: true })
      }
      expect(await store.log.record(newCall(), [RECEIVED, ACCEPTED], 90_000)).toBe('full')
      expect(await store.log.record(newCall(), [RECEIVED, ACCEPTED], 100_000)).toBe('recorded')
    })

    test('holds no more progress of a trace than it may, of all its calls together, and ends them all the same', async () => {
      const store = await openTestStore(place)
      const [one, two] = [await recordRunning(store), await recordRunning(store)]
      const message = 'x'.repeat(1000)
      const tell = async (call: NewCall, value: number) =>
        (await store.log.change({ call, attempt: 1, events: [progress(value, { message })], maxProgressBytes: 4096 }))
          .kind
      expect([await tell(one, 1), await tell(two, 1), await tell(one, 2)]).toEqual(['changed', 'changed', 'changed'])
      expect([await tell(one, 3), await tell(two, 2)]).toEqual(['full', 'full'])
      // What is out of place for another reason is told so: a run that lost its call has to hear of it.
      expect(await tell(one, 2)).toBe('not-rising')
      expect((await findCall(store, one)).progress).toMatchObject({ progress: 2 })
      expect(await store.log.change({ call: one, attempt: 1, events: [complete()] })).toMatchObject({ kind: 'changed' })
      expect(await tell(one, 3)).toBe('not-allowed')
      expect(await store.log.change({ call: two, attempt: 1, events: [FAILED] })).toMatchObject({ kind: 'changed' })
      expect(await readEvents(store)).toHaveLength(11)
    })

    test('shows the last progress whole: nothing of an earlier one is left in it', async () => {
      const store = await openTestStore(place)
      const call = await recordRunning(store)
      await store.log.change({ call, events: [progress(1, { total: 4, message: 'reading' })] })
      expect((await findCall(store, call)).progress).toEqual({ progress: 1, total: 4, message: 'reading' })
      await store.log.change({ call, events: [progress(2)] })
      expect((await findCall(store, call)).progress).toEqual({ progress: 2 })
    })

    test('numbers progress and complete prg-01, prg-02 ... through all attempts', async () => {
      const store = await openTestStore(place)
      const call = await recordRunning(store)
      for (let value = 1; value <= 60; value++) await store.log.change({ call, events: [progress(value)] })
      await store.log.change({ call, events: [started(2)], opensAttempt: true })
      for (let value = 1; value <= 40; value++) await store.log.change({ call, events: [progress(value)] })
      await store.log.change({ call, events: [complete()] })
      const events = (await readEvents(store)).filter(({ data }) => data.token !== undefined)
      const expected = Array.from({ length: 101 }, (_, at) => `prg-${String(at + 1).padStart(2, '0')}`)
      expect(events.map(({ data }) => data.token)).toEqual(expected)
      expect(events.at(-1)).toMatchObject({ event: 'complete', data: { token: 'prg-101' } })
    })

    test('hands a direct call to the queue', async () => {
      const store = await openTestStore(place)
      const call = await recordRunning(store)
      const set = { mode: 'queued', queueDeadlineAtMs: 1_900_000_000_000 } as const
      await store.log.change({ call, attempt: 1, events: [{ event: 'handed_back', data: {} }], set })
      expect(await findCall(store, call)).toMatchObject({ ...set, state: 'queued', attempt: 1 })
    })

    test('never lets time run backwards, whatever the clocks of the writers say', async () => {
      const clock = new ManualClock()
      const behind = new ManualClock(clock.now() - 3_600_000)
      const store = await openTestStore(place, { clock })
      const other = await openTestStore(place, { prefix: store.prefix, clock: behind })
      const call = await recordRunning(store)
      await other.log.change({ call, events: [progress(1)] })
      clock.set(clock.now() - 1)
      await store.log.change({ call, events: [progress(2)] })
      clock.advance(11)
      await store.log.change({ call, events: [progress(3)] })
      await other.log.change({ call, events: [complete()] })
      const instants = (await readEvents(store)).map(({ data }) => String(data.at))
      const start = 1_800_000_000_000
      const expected = [start, start, start, start, start, start + 10, start + 10]
      expect(instants).toEqual(expected.map((atMs) => new Date(atMs).toISOString()))
      const { createdAtMs, startedAtMs, endedAtMs } = await findCall(store, call)
      expect([createdAtMs, startedAtMs, endedAtMs]).toEqual([start, start, start + 10])
    })

    test('writes one instant per step, though the clock moves while it is read', async () => {
      let nowMs = 1_800_000_000_000
      const clock = { now: () => nowMs++, schedule: () => () => undefined }
      const store = await openTestStore(place, { clock })
      const call = await recordRunning(store)
      const head = await store.reader.head(TRACE)
      const [first] = await readEvents(store)
      expect(new Date(String(first?.data.at)).getTime()).toBe(head?.atMs)
      expect((await findCall(store, call)).createdAtMs).toBe(head?.atMs)
    })
  })
}
