import type { Clock, HubConfig } from '@synchub/core'
import type {
  CatalogueView,
  ChangeNotices,
  MemoryWatch,
  Store,
  TraceFeeds,
  TraceList,
  TraceReader,
} from '@synchub/redis'
import type { Logger } from '@synchub/telemetry'
import type { Deployments } from './agent-builder/deployments.js'
import type { CallDesk } from './calls/call-desk.js'
import type { Presence } from './calls/presence.js'
import type { OfferDesk } from './offers/offer-desk.js'
import type { StreamQuota } from './streams/stream-quota.js'
import type { StreamRegistry } from './streams/stream-registry.js'

/** What the surfaces of the hub work with; built once. */
export interface HubContext {
  readonly config: HubConfig
  readonly clock: Clock
  readonly logger: Logger
  readonly store: Store
  readonly catalogue: CatalogueView
  /** What is behind the public paths. */
  readonly deployments: Deployments
  readonly calls: CallDesk
  readonly offers: OfferDesk
  readonly reader: TraceReader
  readonly list: TraceList
  readonly feeds: TraceFeeds
  readonly notices: ChangeNotices
  /** How full the store is. */
  readonly memory: MemoryWatch
  /** Shows that this hub lives, and whether the store takes writes. */
  readonly presence: Pick<Presence, 'trouble'>
  readonly streams: StreamRegistry
  /** Bounds the streams of each caller. */
  readonly streamQuota: StreamQuota
  /** Aborts when the hub stops: streams that would go on end in order. */
  readonly stopping: AbortSignal
  /** Whether the hub takes new work; false while it stops. */
  isServing(): boolean
}
