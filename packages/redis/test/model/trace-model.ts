import type { TraceRef } from '@synchub/core'
import type { Collector } from '../feed/collector.js'
import type { TestFeeds } from '../feed/test-feeds.js'
import type { TestStore } from '../place/test-store.js'
import type { CallModel } from './call-model.js'

/** A trace as simply as it can be thought of: its calls, and a list of what happened. */
export interface TraceModel {
  readonly calls: CallModel[]
  /** What the log holds since it was begun, or begun anew. */
  readonly events: { readonly callId: string; readonly event: string }[]
  /** Events that were cut off the beginning of the log. */
  trimmed: number
}

/** The trace as it really is, and who watches it. */
export interface RealTrace {
  readonly store: TestStore
  readonly feeds: TestFeeds
  readonly trace: TraceRef
  readonly watchers: WatcherModel[]
  /** Ids that events had before the log was lost. */
  readonly lostIds: string[]
}

/** A watcher, and what is known of what it should be given. */
export interface WatcherModel {
  readonly collector: Collector
  /** The event that it joined behind; null where it wants all. */
  readonly after: string | null
  /** Undefined where it may be reset. */
  resetsExpected: number | undefined
}
