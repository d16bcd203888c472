import { afterEach, describe, expect, test } from '@jest/globals'
import { listenForReplies, MAX_EVENT_RESULT_BYTES } from '../../src/index.js'
import { CANCELLED, complete, newCall, recordEnded, recordRunning } from '../call/sample-call.js'
import { atEnd, closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { expectNoChannels, openTestStore, type TestStore } from '../place/test-store.js'

const NEVER = new AbortController().signal

/** How a hub learns the ends of the calls that it waits for. */
export function describeReplies(place: RedisPlace): void {
  afterEach(closeAll)

  describe('a reply', () => {
    test('reaches all who wait for the call, as soon as it has ended', async () => {
      const { hub, writer, replies } = await open(place)
      const calls = await Promise.all([recordRunning(writer), recordRunning(writer)])
      const waiting = calls.flatMap(({ callId }) => [replies.wait(callId, NEVER), replies.wait(callId, NEVER)])
      const startedAt = Date.now()
      const result = { text: 'x'.repeat(MAX_EVENT_RESULT_BYTES) }
      await writer.log.change({ call: calls[0], events: [complete(result)] })
      await writer.log.change({ call: calls[1], events: [CANCELLED] })
      const [first, second, third, fourth] = await Promise.all(waiting)
      expect(Date.now() - startedAt).toBeLessThan(900)
      expect(first).toMatchObject({ event: 'complete', data: { result } })
      expect(third).toMatchObject({ event: 'cancelled', data: CANCELLED.data })
      expect([second, fourth]).toEqual([first, third])
      await replies.close()
      await expectNoChannels(hub)
    })

    test('is there at once for a call that ended before', async () => {
      const { writer, replies } = await open(place)
      const call = await recordEnded(writer, complete())
      expect(await replies.wait(call.callId, NEVER)).toMatchObject({ event: 'complete' })
    })

    test('is found at a pace when the word of it was lost', async () => {
      const { hub, writer, replies } = await open(place)
      const call = await recordRunning(writer)
      const waiting = replies.wait(call.callId, NEVER)
      // Asked over the same connection, so that the first look has its answer before the call ends.
      await hub.log.find(call.callId)
      await hub.link.subscriber.unsubscribe(`${hub.link.keys.replyChannelPrefix}hub-1`)
      await writer.log.change({ call, events: [complete()] })
      expect(await waiting).toMatchObject({ event: 'complete' })
    })

    test('is not for a hub that did not ask', async () => {
      const { hub, writer } = await open(place)
      const heard: string[] = []
      await hub.subscriptions.add(`${hub.link.keys.replyChannelPrefix}hub-2`, (reply) => heard.push(reply))
      const own: string[] = []
      await hub.subscriptions.add(`${hub.link.keys.replyChannelPrefix}hub-1`, (reply) => own.push(reply))
      const call = await recordEnded(writer, complete())
      while (own.length === 0) await new Promise(setImmediate)
      expect(heard).toEqual([])
      const [callId, event, data = ''] = own[0]?.split('\n') ?? []
      expect([own.length, callId, event]).toEqual([1, call.callId, 'complete'])
      // The whole ending: whoever waits has nothing to look up.
      expect(JSON.parse(data)).toMatchObject({ callId: call.callId, seq: 4, isError: false })
    })

    test('comes to who waits for a new call whose end was told before', async () => {
      const { writer, replies } = await open(place)
      const call = await recordEnded(writer, complete())
      expect(await replies.wait(call.callId, NEVER, { isNew: true })).toMatchObject({ event: 'complete' })
    })

    test('is given up at once when the waiting is aborted, before or after it began', async () => {
      const { writer, replies } = await open(place)
      const call = await recordRunning(writer)
      const abort = new AbortController()
      const waiting = [replies.wait(call.callId, abort.signal), replies.wait(newCall().callId, abort.signal)]
      abort.abort()
      waiting.push(replies.wait(call.callId, abort.signal))
      expect(await Promise.all(waiting)).toEqual([null, null, null])
      await writer.log.change({ call, events: [complete()] })
      expect(await replies.wait(call.callId, NEVER)).toMatchObject({ event: 'complete' })
    })
  })
}

async function open(place: RedisPlace) {
  const hub: TestStore = await openTestStore(place)
  const writer = await openTestStore(place, { prefix: hub.prefix })
  const replies = await listenForReplies(hub.link, hub.subscriptions, hub.log, 'hub-1')
  atEnd(() => replies.close())
  return { hub, writer, replies }
}
