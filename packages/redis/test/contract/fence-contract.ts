import { afterEach, describe, expect, test } from '@jest/globals'
import type { NewCall } from '@synchub/core'
import {
  ACCEPTED,
  CANCELLED,
  complete,
  FAILED,
  newCall,
  progress,
  RECEIVED,
  readEvents,
  recordQueued,
  recordRunning,
  started,
  TRACE,
} from '../call/sample-call.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore } from '../place/test-store.js'

/** Who may change a call that is at work: the holder of its last attempt, and nobody else. */
export function describeFences(place: RedisPlace): void {
  afterEach(closeAll)

  describe('the fence of an attempt', () => {
    test('fences every attempt but the newest', async () => {
      const store = await openTestStore(place)
      const call = await recordRunning(store)
      const retrying = { event: 'retrying', data: { attempt: 1, delayMs: 0, reason: 'lost' } } as const
      const opened = await store.log.change({ call, attempt: 1, events: [retrying, started(2)], opensAttempt: true })
      expect(opened).toMatchObject({ kind: 'changed', attempt: 2, state: 'running' })
      for (const event of [progress(5), complete(), FAILED, started(2)]) {
        const outcome = await store.log.change({ call, attempt: 1, events: [event] })
        expect(outcome).toEqual({ kind: 'fenced', attempt: 2 })
      }
      expect(await store.log.change({ call, attempt: 2, events: [complete()] })).toMatchObject({ kind: 'changed' })
      expect((await readEvents(store)).map(({ event }) => event).slice(3)).toEqual(['retrying', 'started', 'complete'])
    })

    test('refuses the run of an attempt whose start Redis has lost, once its number is given to another', async () => {
      const store = await openTestStore(place)
      const call = await recordQueued(store)
      const begin = async (fence: string) => {
        const opening = { opensAttempt: true, set: { fence } }
        await store.log.change({ call, attempt: 0, events: [started(1)], ...opening })
        return { ...call, fence }
      }
      const lost = await begin('lost')
      // As the record stands after the loss: as it was before the step, while the first run goes on.
      const key = store.link.keys.trace(TRACE).call(call.callId)
      await store.link.commands.hset(key, { state: 'queued', attempt: 0 })
      await store.link.commands.hdel(key, 'fence')
      const held = await begin('held')
      const child = newCall({ parentCallId: call.callId, parentAttempt: 1, parentFence: 'lost', depth: 2 })
      expect(await store.log.record(child, [RECEIVED, ACCEPTED])).toBe('orphaned')
      const tell = (by: NewCall, event: ReturnType<typeof progress | typeof complete>) =>
        store.log.change({ call: by, attempt: 1, events: [event] })
      for (const by of [lost, call]) {
        for (const event of [progress(90), complete()]) {
          expect(await tell(by, event)).toEqual({ kind: 'fenced', attempt: 1 })
        }
      }
      expect([(await tell(held, progress(5))).kind, (await tell(held, complete())).kind]).toEqual([
        'changed',
        'changed',
      ])
    })

    test('answers an opening that is asked again as it did before, until the call goes on without it', async () => {
      const store = await openTestStore(place)
      const call = await recordQueued(store)
      const open = (fence: string) =>
        store.log.change({ call, attempt: 0, events: [started(1)], opensAttempt: true, set: { fence } })
      const first = await open('mine')
      expect(first).toMatchObject({ kind: 'changed', attempt: 1, state: 'running' })
      expect(await open('mine')).toEqual(first)
      expect(await open('other')).toEqual({ kind: 'fenced', attempt: 1 })
      await store.log.change({ call, events: [CANCELLED] })
      expect(await open('mine')).toEqual({ kind: 'fenced', attempt: 1 })
      expect((await readEvents(store)).map(({ event }) => event).slice(2)).toEqual(['started', 'cancelled'])
    })

    test('opens one attempt when two dispatchers were given the same call', async () => {
      const store = await openTestStore(place)
      const other = await openTestStore(place, { prefix: store.prefix })
      const call = await recordQueued(store)
      const open = { call, attempt: 0, events: [started(1)], opensAttempt: true } as const
      const outcomes = await Promise.all([store.log.change(open), other.log.change(open)])
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'fenced'])
    })
  })
}
