import { afterEach, describe, expect, test } from '@jest/globals'
import { createCallId } from '@synchub/core'
import {
  ACCEPTED,
  CANCELLED,
  findCall,
  newCall,
  RECEIVED,
  readEvents,
  recordRunning,
  started,
} from '../call/sample-call.js'
import { closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { openTestStore } from '../place/test-store.js'

/** What calls below other calls must hold, wherever the store is. */
export function describeChildCalls(place: RedisPlace): void {
  afterEach(closeAll)

  describe('a call below another', () => {
    test('is found by its parent, and keeps its place in the tree', async () => {
      const store = await openTestStore(place)
      const parent = await recordRunning(store, { fence: 'f1' })
      const child = newCall({ parentCallId: parent.callId, parentAttempt: 1, parentFence: 'f1', depth: 2 })
      const named = newCall({ parentCallId: parent.callId, depth: 2 })
      for (const call of [child, named]) expect(await store.log.record(call, [RECEIVED, ACCEPTED])).toBe('recorded')
      expect(await findCall(store, child)).toMatchObject(child)
      expect(await findCall(store, named)).not.toHaveProperty('parentAttempt')
      expect((await store.log.findChildren(parent)).toSorted()).toEqual([child.callId, named.callId].toSorted())
      expect(await store.log.findChildren(child)).toEqual([])
    })

    test('is not recorded by a run that is over: neither it nor an event', async () => {
      const store = await openTestStore(place)
      const [ended, retried, never] = [await recordRunning(store), await recordRunning(store), createCallId(Date.now())]
      await store.log.change({ call: ended, events: [CANCELLED] })
      await store.log.change({ call: retried, events: [started(2)], attempt: 1, opensAttempt: true })
      const before = await readEvents(store)
      for (const parentCallId of [ended.callId, retried.callId, never]) {
        const late = newCall({ parentCallId, parentAttempt: 1, depth: 2 })
        expect(await store.log.record(late, [RECEIVED, ACCEPTED])).toBe('orphaned')
        expect(await store.log.find(late.callId)).toBeNull()
      }
      expect(await store.log.findChildren(ended)).toEqual([])
      expect(await readEvents(store)).toEqual(before)
    })

    test('may be recorded by a caller that names a parent which has ended', async () => {
      const store = await openTestStore(place)
      const parent = await recordRunning(store)
      await store.log.change({ call: parent, events: [CANCELLED] })
      const child = newCall({ parentCallId: parent.callId, depth: 2 })
      expect(await store.log.record(child, [RECEIVED, ACCEPTED])).toBe('recorded')
    })
  })

  describe('what an agent may do for its caller', () => {
    test('is kept with the call, and the digest of its access token with the opening of each attempt', async () => {
      const store = await openTestStore(place)
      const grant = { scopes: ['tools:call:make', 'tools:call:Boot'], within: [['Boot', 'Insight.search'], []] }
      const call = await recordRunning(store, { grant, accessDigests: ['d1'] })
      expect(await findCall(store, call)).toMatchObject({ grant, accessDigests: ['d1'] })
      const opening = { call, events: [started(2)], opensAttempt: true, set: { accessDigests: ['d1', 'd2'] } }
      expect(await store.log.change({ ...opening, attempt: 1 })).toMatchObject({ kind: 'changed', attempt: 2 })
      expect(await findCall(store, call)).toMatchObject({ attempt: 2, grant, accessDigests: ['d1', 'd2'] })
      expect(await store.log.change({ ...opening, attempt: 1, set: { accessDigests: ['x'] } })).toMatchObject({
        kind: 'fenced',
      })
      expect(await findCall(store, call)).toMatchObject({ accessDigests: ['d1', 'd2'] })
    })

    test('leaves a gap for an attempt that got none', async () => {
      const store = await openTestStore(place)
      const call = await recordRunning(store, { accessDigests: ['', 'd2'] })
      expect((await findCall(store, call)).accessDigests).toEqual(['', 'd2'])
    })
  })
}
