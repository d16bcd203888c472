import { afterEach, describe, expect, test } from '@jest/globals'
import { closeAll } from './place/cleanup.js'
import { SHARED_REDIS } from './place/redis-place.js'
import { expectNoChannels, openTestStore, sever, type TestStore } from './place/test-store.js'

afterEach(closeAll)

/** What is heard on a channel, and when something is. */
function listen() {
  const heard: string[] = []
  let wake = () => {}
  const listener = (message: string) => {
    heard.push(message)
    wake()
  }
  const until = async (count: number) => {
    while (heard.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { heard, listener, until }
}

function observe({ subscriptions }: TestStore) {
  const seen: string[] = []
  let wake = () => {}
  subscriptions.onInterruption({
    lost: () => seen.push('lost'),
    restored() {
      seen.push('restored')
      wake()
    },
  })
  const restored = async () => {
    while (seen.at(-1) !== 'restored') {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { seen, restored }
}

const subscriberCount = async ({ link }: TestStore, channel: string) =>
  Number((await link.commands.pubsub('NUMSUB', channel))[1])

describe('shared subscriptions', () => {
  test('subscribe once for all who listen to a channel, and unsubscribe with the last', async () => {
    const store = await openTestStore(SHARED_REDIS)
    const channel = `${store.prefix}:a`
    const [first, second] = [listen(), listen()]
    const stops = await Promise.all([first, second].map(({ listener }) => store.subscriptions.add(channel, listener)))
    expect(await subscriberCount(store, channel)).toBe(1)
    await store.link.commands.publish(channel, 'one')
    await Promise.all([first.until(1), second.until(1)])
    await stops[0]?.()
    await store.link.commands.publish(channel, 'two')
    await second.until(2)
    expect([first.heard, second.heard]).toEqual([['one'], ['one', 'two']])
    await stops[1]?.()
    await stops[1]?.()
    await expectNoChannels(store)
  })

  test('let nobody believe that he listens before the channel is subscribed', async () => {
    const store = await openTestStore(SHARED_REDIS)
    const settled: string[] = []
    await Promise.all(
      ['first', 'second'].map(async (name) => {
        await store.subscriptions.add(`${store.prefix}:a`, () => undefined)
        settled.push(name)
      }),
    )
    expect(settled).toEqual(['first', 'second'])
  })

  test('tell of a loss, and take up every channel again before they tell that it is over', async () => {
    const store = await openTestStore(SHARED_REDIS)
    const { seen, restored } = observe(store)
    const listeners = [listen(), listen(), listen()]
    await Promise.all(listeners.map(({ listener }, at) => store.subscriptions.add(`${store.prefix}:${at}`, listener)))
    await sever(store.link.subscriber)
    await restored()
    expect(seen).toEqual(['lost', 'restored'])
    await Promise.all(listeners.map((_, at) => store.link.commands.publish(`${store.prefix}:${at}`, 'after')))
    await Promise.all(listeners.map(({ until }) => until(1)))
    expect(listeners.map(({ heard }) => heard)).toEqual([['after'], ['after'], ['after']])
  })

  test('take up what was added while the connection was away, and forget what was stopped then', async () => {
    const store = await openTestStore(SHARED_REDIS)
    const { restored } = observe(store)
    const [kept, stopped, added] = [listen(), listen(), listen()]
    await store.subscriptions.add(`${store.prefix}:kept`, kept.listener)
    const stop = await store.subscriptions.add(`${store.prefix}:stopped`, stopped.listener)
    await sever(store.link.subscriber)
    await stop()
    await store.subscriptions.add(`${store.prefix}:added`, added.listener)
    await restored()
    const channels = await store.link.commands.pubsub('CHANNELS', `${store.prefix}:*`)
    expect((channels as string[]).toSorted()).toEqual([`${store.prefix}:added`, `${store.prefix}:kept`])
    await store.link.commands.publish(`${store.prefix}:added`, 'hello')
    await added.until(1)
  })

  test('survive a connection that is lost while a channel is being subscribed', async () => {
    const store = await openTestStore(SHARED_REDIS)
    const { restored } = observe(store)
    const [heard, channel] = [listen(), `${store.prefix}:a`]
    const severing = sever(store.link.subscriber)
    const adding = store.subscriptions.add(channel, heard.listener)
    await severing
    const stop = await adding
    await restored()
    await store.link.commands.publish(channel, 'hello')
    await heard.until(1)
    await stop()
    await expectNoChannels(store)
  })
})
