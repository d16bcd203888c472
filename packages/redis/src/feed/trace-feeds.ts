import type { Clock, TraceRef } from '@synchub/core'
import type { Keys } from '../connection/keys.js'
import type { Subscriptions } from '../connection/subscriptions.js'
import { encodeTrace } from '../index/call-index.js'
import { sequenceOf } from '../trace/log-entry.js'
import type { TraceReader } from '../trace/trace-reader.js'
import { TraceFeed } from './trace-feed.js'
import { type Watch, Watcher, type WatchSink } from './watcher.js'

/** What is watched, from where, and where it goes. */
export interface WatchRequest {
  readonly trace: TraceRef
  /** Id of the last event that the watcher has; null from the start. */
  readonly after: string | null
  /** Whether the stream outlives the end of the trace. */
  readonly follow: boolean
  readonly sink: WatchSink
}

/** The live path of every trace that somebody watches in this process. */
export interface TraceFeeds {
  /** Starts a watch; events may begin to arrive before this has settled. @throws HubError HUB_UNAVAILABLE */
  watch(request: WatchRequest): Promise<Watch>
  /** Number of traces that are watched, for operators and tests. */
  readonly feedCount: number
  close(): void
}

/** What the feeds work with. */
export interface TraceFeedsOptions {
  readonly keys: Keys
  readonly subscriptions: Subscriptions
  readonly reader: TraceReader
  readonly clock: Clock
  readonly lingerMs: number
  /** How often each feed compares itself with its log, in ms; 5000 by default. */
  readonly checkMs?: number
  onFailure(thrown: unknown): void
}

interface OpenFeed {
  readonly feed: TraceFeed
  readonly subscribed: Promise<() => Promise<void>>
  readonly ready: Promise<void>
}

const CHECKED_AT_ONCE = 10

/** One subscription for each watched trace, however many watch it. */
export function openTraceFeeds(options: TraceFeedsOptions): TraceFeeds {
  const { subscriptions, keys } = options
  const onFailure = (thrown: unknown) => options.onFailure(thrown)
  const feeds = new Map<string, OpenFeed>()

  const acquire = (trace: TraceRef): OpenFeed => {
    const name = encodeTrace(trace)
    const known = feeds.get(name)
    if (known !== undefined) return known
    const feed = new TraceFeed({ ...options, trace, onEmpty: shut })
    const subscribed = subscriptions.add(keys.trace(trace).channel, (message) => feed.receive(message))
    const open = { feed, subscribed, ready: subscribed.then(() => feed.open()) }
    feeds.set(name, open)
    return open
  }

  const shut = (feed: TraceFeed) => {
    const name = encodeTrace(feed.trace)
    const open = feeds.get(name)
    if (open?.feed !== feed) return
    feeds.delete(name)
    feed.close()
    open.subscribed.then((unsubscribe) => unsubscribe()).catch(onFailure)
  }

  const stopObserving = subscriptions.onInterruption({
    lost: () => {
      for (const { feed } of feeds.values()) feed.interrupt()
    },
    restored: () => {
      for (const { feed } of feeds.values()) feed.markDirty()
    },
  })
  const checkAll = async () => {
    const open = [...feeds.values()]
    // Some at a time: a thousand questions at once would keep every live event waiting.
    for (let at = 0; at < open.length; at += CHECKED_AT_ONCE) {
      await Promise.all(open.slice(at, at + CHECKED_AT_ONCE).map(({ feed }) => feed.check().catch(onFailure)))
    }
  }
  const timer = setInterval(() => void checkAll(), options.checkMs ?? 5000)

  return {
    get feedCount() {
      return feeds.size
    },
    async watch({ trace, after, follow, sink }) {
      const open = acquire(trace)
      const place = { id: after, seq: after === null ? 0 : (sequenceOf(after) ?? 0) }
      const watcher = new Watcher(open.feed, sink, place, follow)
      open.feed.add(watcher)
      try {
        await open.ready
      } catch (thrown) {
        watcher.close()
        throw thrown
      }
      void watcher.catchUp()
      return watcher
    },
    close() {
      clearInterval(timer)
      stopObserving()
      for (const { feed } of feeds.values()) shut(feed)
    },
  }
}
