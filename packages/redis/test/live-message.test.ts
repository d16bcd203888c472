import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { decodeLiveMessages } from '../src/trace/log-entry.js'
import { complete, readEvents, recordRunning, TRACE } from './call/sample-call.js'
import { closeAll } from './place/cleanup.js'
import { SHARED_REDIS } from './place/redis-place.js'
import { openTestStore } from './place/test-store.js'

afterEach(closeAll)

describe('the channel of a trace', () => {
  test('tells all events of a step in one message, as they stand in the log', async () => {
    const store = await openTestStore(SHARED_REDIS)
    const messages: string[] = []
    await store.subscriptions.add(store.link.keys.trace(TRACE).channel, (message) => messages.push(message))
    const call = await recordRunning(store)
    await store.log.change({ call, attempt: 1, events: [complete()] })
    while (messages.length < 2) await delay(5)
    const told = messages.map(decodeLiveMessages)
    const log = await readEvents(store)
    expect(told.map((step) => step.length)).toEqual([log.length - 1, 1])
    expect(told.flat().map(({ entry }) => entry.event)).toEqual(log.map(({ event }) => event))
    expect(told.flat().map(({ entry }) => entry.seq)).toEqual(log.map((_, at) => at + 1))
    expect(told.map((step) => step.at(-1)?.openCalls)).toEqual([1, 0])
  })
})
