import { afterEach, describe, expect, test } from '@jest/globals'
import type { NewCall } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import type { Subscriptions } from '../src/index.js'
import { complete, progress, readEvents, recordEnded, recordRunning, TRACE } from './call/sample-call.js'
import { ManualClock } from './clock/manual-clock.js'
import { Collector } from './feed/collector.js'
import { type HeldReader, holdReader } from './feed/held-reader.js'
import { openTestFeeds, type TestFeeds } from './feed/test-feeds.js'
import { closeAll } from './place/cleanup.js'
import { SHARED_REDIS } from './place/redis-place.js'
import { openTestStore, removeTrace, sever, type TestStore } from './place/test-store.js'

afterEach(closeAll)

interface Hub {
  readonly store: TestStore & { readonly reader: HeldReader }
  readonly feeds: TestFeeds
  /** Another process, which writes. */
  readonly writer: TestStore
}

/** A hub whose only way to notice a loss late is a check that never comes. */
async function openHub(clock?: ManualClock): Promise<Hub> {
  const opened = await openTestStore(SHARED_REDIS, clock === undefined ? {} : { clock })
  const store = { ...opened, reader: holdReader(opened.reader) }
  const feeds = openTestFeeds(store, { checkMs: 3_600_000, ...(clock === undefined ? {} : { clock }) })
  return { store, feeds, writer: await openTestStore(SHARED_REDIS, { prefix: store.prefix }) }
}

const report = ({ log }: TestStore, call: NewCall, value: number) => log.change({ call, events: [progress(value)] })

/** Cuts the subscription and settles once all channels are subscribed again. */
async function loseSubscription({ link, subscriptions }: TestStore, meanwhile: () => Promise<unknown>): Promise<void> {
  const restored = new Promise<void>((resolve) => {
    const forget = subscriptions.onInterruption({
      lost: () => undefined,
      restored: () => {
        forget()
        resolve()
      },
    })
  })
  await sever(link.subscriber)
  await meanwhile()
  await restored
}

describe('the feed of a trace', () => {
  test('delivers what was published while it took up the end of the log', async () => {
    const { store, feeds, writer } = await openHub()
    const call = await recordRunning(writer)
    const held = store.reader.hold('head')
    const joining = Collector.join(feeds)
    await held.answered
    await report(writer, call, 1)
    held.release()
    const watcher = await joining
    await watcher.untilSeq(4)
    await report(writer, call, 2)
    await watcher.untilSeq(5)
    expect(watcher.seqs).toEqual([1, 2, 3, 4, 5])
  })

  test('delivers what was published while the subscription was lost before it had opened', async () => {
    const { store, feeds, writer } = await openHub()
    const call = await recordRunning(writer)
    const held = store.reader.hold('head')
    const joining = Collector.join(feeds)
    await held.answered
    await loseSubscription(store, () => report(writer, call, 1))
    held.release()
    const watcher = await joining
    await watcher.untilSeq(4)
    expect(watcher.seqs).toEqual([1, 2, 3, 4])
  })

  test('does not reset who joins a log without its beginning while the subscription is lost before it is answered', async () => {
    const { store, writer } = await openHub()
    const call = await recordRunning(writer)
    await store.link.commands.xtrim(store.link.keys.trace(TRACE).log, 'MINID', '2-0')
    const [kept] = await readEvents(store, TRACE)
    const { subscriptions } = store
    const add: Subscriptions['add'] = async (channel, listener) => {
      const stop = await subscriptions.add(channel, listener)
      await loseSubscription(store, () => report(writer, call, 1))
      return stop
    }
    const feeds = openTestFeeds(store, { checkMs: 3_600_000, subscriptions: { ...subscriptions, add } })
    const watcher = await Collector.join(feeds, { after: kept?.id ?? null })
    await report(writer, call, 2)
    await watcher.untilSeq(5)
    expect([watcher.seqs, watcher.resets]).toEqual([[3, 4, 5], []])
  })

  test('delivers what was published while the subscription was lost during a range read', async () => {
    const { store, feeds, writer } = await openHub()
    const call = await recordRunning(writer)
    const watcher = await Collector.join(feeds)
    await watcher.untilSeq(3)
    const held = store.reader.hold('head')
    await loseSubscription(store, () => report(writer, call, 1))
    await held.answered
    // The answer that is held back knows nothing of this event, and its message goes to nobody.
    await loseSubscription(store, () => report(writer, call, 2))
    held.release()
    await watcher.untilSeq(5)
    expect(watcher.seqs).toEqual([1, 2, 3, 4, 5])
  })

  test('delivers what was published while a lost log was read anew', async () => {
    const { store, feeds, writer } = await openHub()
    await recordEnded(writer, complete())
    const watcher = await Collector.join(feeds, { follow: true })
    await watcher.untilSeq(4)
    await removeTrace(store.link, TRACE)
    const head = store.reader.hold('head')
    const call = await recordRunning(writer)
    await head.answered
    const snapshot = store.reader.hold('snapshot')
    await report(writer, call, 1)
    head.release()
    await snapshot.answered
    await report(writer, call, 2)
    snapshot.release()
    await report(writer, call, 3)
    await watcher.untilSeq(6)
    const { snapshot: shown, at } = watcher.resets.at(-1) ?? { snapshot: null, at: 0 }
    expect(watcher.seqs.slice(at)).toEqual([4, 5, 6].filter((seq) => seq > (shown?.lastSeq ?? 0)))
    await report(writer, call, 4)
    await watcher.untilSeq(7)
  })

  test('closes a watcher whose snapshot cannot be read, and goes on with the others', async () => {
    const { store, feeds, writer } = await openHub()
    await recordEnded(writer, complete())
    const watchers = [await Collector.join(feeds, { follow: true }), await Collector.join(feeds, { follow: true })]
    await Promise.all(watchers.map((watcher) => watcher.untilSeq(4)))
    await removeTrace(store.link, TRACE)
    const failure = new HubError('HUB_UNAVAILABLE', 'the store does not answer')
    store.reader.failNext('snapshot', failure)
    const call = await recordRunning(writer)
    const [unlucky, lucky] = watchers
    await unlucky?.until(({ failures }) => failures.length > 0)
    await lucky?.until(({ resets }) => resets.length > 0)
    await report(writer, call, 1)
    await lucky?.until(({ entries }) => entries.at(-1)?.event === 'progress')
    expect([unlucky?.failures, unlucky?.resets, lucky?.failures]).toEqual([[failure], [], []])
  })

  test('closes a watcher whose sink breaks, and goes on with the others', async () => {
    const { feeds, writer } = await openHub()
    const call = await recordRunning(writer)
    const [broken, sound] = [await Collector.join(feeds), await Collector.join(feeds)]
    await Promise.all([broken.untilSeq(3), sound.untilSeq(3)])
    broken.hasRoom = () => {
      throw new Error('the socket is gone')
    }
    await report(writer, call, 1)
    await sound.untilSeq(4)
    await report(writer, call, 2)
    await sound.untilSeq(5)
    expect(broken.failures).toEqual([new Error('the socket is gone')])
    expect(broken.seqs).toEqual([1, 2, 3, 4])
  })

  test('asks again after a pause when it could not learn whether the trace is over', async () => {
    const clock = new ManualClock()
    const { store, feeds, writer } = await openHub(clock)
    await recordEnded(writer, complete())
    const watcher = await Collector.join(feeds)
    await watcher.untilSeq(4)
    const [lingerMs = 0] = await clock.untilPlanned()
    store.reader.failNext('head', new HubError('HUB_UNAVAILABLE', 'the store does not answer'))
    clock.advance(lingerMs)
    expect((await clock.untilPlanned())[0]).toBeGreaterThanOrEqual(100)
    expect([feeds.failures.length, watcher.endCount]).toEqual([1, 0])
    clock.advance(1000)
    await watcher.untilEnd()
    expect(feeds.failures).toHaveLength(1)
  })

  test('tells its watchers that their log is gone, though nothing is written any more', async () => {
    const { store, writer } = await openHub()
    const feeds = openTestFeeds(store, { checkMs: 20, lingerMs: 60_000 })
    await recordRunning(writer)
    const watcher = await Collector.join(feeds)
    await watcher.untilSeq(3)
    await removeTrace(store.link, TRACE)
    await watcher.until(({ resets }) => resets.length > 0)
    expect(watcher.resets).toEqual([{ reason: 'trimmed', snapshot: null, at: 3 }])
    await recordRunning(writer)
    await watcher.untilSeq(3)
    expect(watcher.resets).toHaveLength(1)
  })
})
