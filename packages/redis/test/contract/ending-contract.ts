import { randomInt } from 'node:crypto'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { EventDraft, NewCall } from '@synchub/core'
import { isTerminalEvent } from '@synchub/protocol'
import { MAX_EVENT_RESULT_BYTES } from '../../src/index.js'
import {
  CANCELLED,
  complete,
  FAILED,
  findCall,
  newCall,
  progress,
  RECEIVED,
  REFUSED,
  type ReadEvent,
  readEvents,
  recordEnded,
  recordRunning,
  started,
  TRACE,
  UNKNOWN,
} from '../call/sample-call.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore, type TestStore } from '../place/test-store.js'

const RACES = 500

/** What the endings of calls must hold. */
export function describeEndings(place: RedisPlace): void {
  afterEach(closeAll)

  describe('the ending of a call', () => {
    test(`comes exactly once and last in ${RACES} races of complete, failed, cancelled and the next attempt`, async () => {
      const stores = await openWriters(place, 3)
      const calls: NewCall[] = []
      for (let race = 0; race < RACES; race++) {
        const call = newCall({ mode: 'direct', trace: { ...TRACE, traceId: `trace-${race % 7}` } })
        calls.push(call)
        const [first] = stores
        await first.log.record(call, [RECEIVED, { event: 'accepted', data: {} }, started(1)])
        const steps = [
          { attempt: 1, events: [complete()] },
          { attempt: 1, events: [FAILED] },
          { events: [CANCELLED] },
          { attempt: 1, events: [progress(50)] },
          { attempt: 1, events: [started(2)], opensAttempt: true },
        ]
        const outcomes = await Promise.all(
          shuffle(steps).map(async (step) => {
            const { log } = stores[randomInt(stores.length)] ?? first
            return { event: step.events[0]?.event ?? '', outcome: await log.change({ call, ...step }) }
          }),
        )
        const endings = outcomes.filter(({ event, outcome }) => isTerminalEvent(event) && outcome.kind === 'changed')
        expect(endings).toHaveLength(1)
      }
      for (let at = 0; at < 7; at++) {
        const trace = { ...TRACE, traceId: `trace-${at}` }
        const events = await readEvents(stores[0], trace)
        expect(events.map(({ data }) => data.seq)).toEqual(events.map((_, index) => index + 1))
        for (const { callId } of calls.filter((call) => call.trace.traceId === trace.traceId))
          assertEndsOnce(events, callId)
        expect(await stores[0].reader.head(trace)).toMatchObject({ openCalls: 0 })
      }
    }, 30_000)

    test('can be read by its call, with the members that it was written with', async () => {
      const store = await openTestStore(place)
      const call = await recordEnded(store, FAILED)
      const found = await findCall(store, call)
      expect(found).toMatchObject({ state: 'failed', endedAtMs: expect.any(Number) })
      const ending = await store.log.findEnding(found)
      expect(ending).toMatchObject({ event: 'failed', data: { ...FAILED.data, callId: call.callId, seq: 4 } })
    })

    test('keeps a result of up to 64 KiB in its event, and links to a larger one', async () => {
      const store = await openTestStore(place)
      const overhead = JSON.stringify({ result: '', content: [] }).length
      for (const [size, linked] of [
        [MAX_EVENT_RESULT_BYTES - overhead, false],
        [MAX_EVENT_RESULT_BYTES - overhead + 1, true],
      ] as const) {
        const result = 'x'.repeat(size)
        const call = await recordEnded(store, complete(result))
        const event = (await readEvents(store)).find(
          (candidate) => candidate.callId === call.callId && candidate.event === 'complete',
        )
        expect(event?.data.result).toBe(linked ? undefined : result)
        expect(event?.data.resultLink).toBe(linked ? `/calls/${call.callId}` : undefined)
        expect(event?.data.resultBytes).toBe(linked ? size + overhead : undefined)
        expect(event?.data).toMatchObject({
          progress: 100,
          total: 100,
          isError: false,
          executionTimeMs: 5,
          token: 'prg-01',
        })
        const ending = await store.log.findEnding(await findCall(store, call))
        expect(ending?.data).toMatchObject({ result, content: [], isError: false })
        expect(ending?.data).not.toHaveProperty('resultLink')
        expect(ending?.data).not.toHaveProperty('resultBytes')
      }
    })

    test('keeps numbers, empty lists, Unicode, NUL and lone surrogates as they are, in the event and beside it', async () => {
      const store = await openTestStore(place)
      const values = {
        numbers: [0, 1e21, 5e-324, 0.1, Number.MAX_SAFE_INTEGER, 1.7976931348623157e308, -1.5],
        empty: { list: [], object: {}, nested: [[], {}, ''] },
        text: 'NUL \u0000, lines \n\r\u2028\u2029\u0085, \ufeffBOM, 🙂, ä, \ud83d alone, \udc00 alone, "quoted" \\ back',
        nothing: null,
        'na"me\n': { __proto__x: 1, constructor: 'c' },
      }
      for (const result of [values, { ...values, padding: 'x'.repeat(MAX_EVENT_RESULT_BYTES) }]) {
        const call = newCall({ mode: 'direct', arguments: values })
        await store.log.record(call, [RECEIVED, { event: 'accepted', data: {} }, started(1)])
        await store.log.change({ call, events: [progress(1, { message: values.text })] })
        await store.log.change({ call, events: [complete(result, { content: [{ type: 'text', text: values.text }] })] })
        const found = await findCall(store, call)
        expect(JSON.stringify(found.arguments)).toBe(JSON.stringify(values))
        expect(found.progress?.message).toBe(values.text)
        const ending = await store.log.findEnding(found)
        expect(JSON.stringify(ending?.data.result)).toBe(JSON.stringify(result))
        expect(ending?.data.content).toEqual([{ type: 'text', text: values.text }])
        const report = (await readEvents(store)).find(
          ({ callId, event }) => callId === call.callId && event === 'progress',
        )
        expect(report?.data.message).toBe(values.text)
      }
    })
  })

  describe('the state of a trace', () => {
    test('is running while a call is open, then the worst that one of its calls ended in', async () => {
      const store = await openTestStore(place)
      const stateOf = async () => {
        const view = await store.reader.snapshot(TRACE)
        return [view?.state, view?.openCalls, view?.callCount]
      }
      const open = await recordRunning(store)
      expect(await stateOf()).toEqual(['running', 1, 1])
      await recordEnded(store, complete())
      expect(await stateOf()).toEqual(['running', 1, 2])
      await store.log.change({ call: open, events: [complete()] })
      expect(await stateOf()).toEqual(['completed', 0, 2])
      await store.log.record(newCall(), [RECEIVED, REFUSED])
      expect(await stateOf()).toEqual(['refused', 0, 3])
      await recordEnded(store, CANCELLED)
      expect(await stateOf()).toEqual(['cancelled', 0, 4])
      await recordEnded(store, FAILED)
      expect(await stateOf()).toEqual(['failed', 0, 5])
      await recordEnded(store, UNKNOWN)
      expect(await stateOf()).toEqual(['unknown', 0, 6])
      await recordEnded(store, complete())
      expect(await stateOf()).toEqual(['unknown', 0, 7])
      await recordRunning(store)
      expect(await stateOf()).toEqual(['running', 1, 8])
    })
  })
}

async function openWriters(place: RedisPlace, count: number): Promise<[TestStore, ...TestStore[]]> {
  const first = await openTestStore(place)
  const others = Array.from({ length: count - 1 }, () => openTestStore(place, { prefix: first.prefix }))
  return [first, ...(await Promise.all(others))]
}

function assertEndsOnce(events: readonly ReadEvent[], callId: string): void {
  const own = events
    .filter((event) => event.callId === callId)
    .map(({ event }: { event: EventDraft['event'] }) => event)
  expect(own.filter(isTerminalEvent)).toHaveLength(1)
  expect(isTerminalEvent(own.at(-1) ?? '')).toBe(true)
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, rank: randomInt(2 ** 32) }))
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ item }) => item)
}
