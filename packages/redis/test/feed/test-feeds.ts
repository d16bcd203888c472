import type { Clock } from '@synchub/core'
import { openTraceFeeds, type Subscriptions, type TraceFeeds } from '../../src/index.js'
import { systemClock } from '../clock/system-clock.js'
import { atEnd } from '../place/cleanup.js'
import type { TestStore } from '../place/test-store.js'

export interface TestFeeds extends TraceFeeds {
  /** What `onFailure` was told. */
  readonly failures: unknown[]
}

export interface TestFeedsOptions {
  readonly lingerMs?: number
  readonly checkMs?: number
  readonly clock?: Clock
  readonly subscriptions?: Subscriptions
}

/** The feeds of one hub, closed at the end of the test. */
export function openTestFeeds(store: TestStore, options: TestFeedsOptions = {}): TestFeeds {
  const failures: unknown[] = []
  const feeds = openTraceFeeds({
    keys: store.link.keys,
    subscriptions: options.subscriptions ?? store.subscriptions,
    reader: store.reader,
    clock: options.clock ?? systemClock,
    lingerMs: options.lingerMs ?? 100,
    ...(options.checkMs === undefined ? {} : { checkMs: options.checkMs }),
    onFailure: (thrown) => failures.push(thrown),
  })
  atEnd(() => feeds.close())
  return Object.assign(feeds, { failures })
}
