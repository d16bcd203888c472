import {
  type CallCounter,
  type CallLog,
  type Clock,
  type IdempotencyClaims,
  type OpenedParts,
  openInOrder,
  type TicketStore,
} from '@synchub/core'
import { createCallLog } from './call/redis-call-log.js'
import { type CatalogueView, watchCatalogue } from './catalogue/redis-catalogue.js'
import { type ClaimOptions, createClaims } from './claim/redis-claims.js'
import { loadScripts, openRedisLink, type RedisLink, type RedisLinkOptions } from './connection/redis-link.js'
import { type Subscriptions, shareSubscriptions } from './connection/subscriptions.js'
import { type CallIndex, createCallIndex } from './index/call-index.js'
import { createLeases, type Leases } from './lease/leases.js'
import { type AgentPaces, openAgentPaces } from './pace/agent-paces.js'
import { type AgentQueues, openAgentQueues } from './queue/redis-call-queue.js'
import { createCallCounter, openHeldCalls, type QuotaLimits } from './quota/call-counter.js'
import { createSessions, type Sessions } from './session/redis-sessions.js'
import { createTickets } from './ticket/redis-tickets.js'

/** How a process opens the store. */
export interface StoreOptions extends RedisLinkOptions {
  readonly clock: Clock
  readonly claims?: ClaimOptions
  /** Limits on what callers send and have open; none where absent. */
  readonly limits?: QuotaLimits
  /** Told of failures that no caller waits for. */
  onFailure(thrown: unknown): void
}

/** Everything of the store that hub and dispatcher both need, over one set of connections. */
export interface Store {
  readonly link: RedisLink
  readonly subscriptions: Subscriptions
  readonly log: CallLog
  readonly index: CallIndex
  /** Absent where no limit is set. */
  readonly counter: CallCounter | undefined
  readonly claims: IdempotencyClaims
  readonly tickets: TicketStore
  readonly queue: AgentQueues
  readonly leases: Leases
  readonly sessions: Sessions
  readonly paces: AgentPaces
  readonly catalogue: CatalogueView
  close(): Promise<void>
}

/** Connects to Redis and opens the store. @throws HubError HUB_UNAVAILABLE when Redis does not answer */
export function openStore(options: StoreOptions): Promise<Store> {
  return openInOrder((parts) => open(parts, options), options.onFailure)
}

async function open(parts: OpenedParts, options: StoreOptions): Promise<Store> {
  const { clock, claims, limits, onFailure } = options
  const link = await openRedisLink(options)
  parts.add(() => link.close())
  await loadScripts(link)
  const queue = openAgentQueues(link)
  parts.add(() => queue.close())
  const paces = openAgentPaces(link, clock, onFailure)
  parts.add(() => paces.close())
  const subscriptions = shareSubscriptions(link)
  parts.add(() => subscriptions.close())
  const catalogue = await watchCatalogue(link, subscriptions, onFailure)
  parts.add(() => catalogue.stop())
  const held = limits === undefined ? undefined : openHeldCalls(link, clock, limits)
  const index = createCallIndex(link, clock, held)
  return {
    link,
    subscriptions,
    queue,
    catalogue,
    index,
    paces,
    log: createCallLog(link, index, clock, paces),
    counter: limits === undefined ? undefined : createCallCounter(link, limits, held),
    claims: createClaims(link, clock, claims),
    tickets: createTickets(link),
    leases: createLeases(link),
    sessions: createSessions(link),
    close: () => parts.close(),
  }
}
