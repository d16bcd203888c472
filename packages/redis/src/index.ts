export { MAX_EVENT_RESULT_BYTES } from './call/event-body.js'
export { createCallLog } from './call/redis-call-log.js'
export { type CatalogueView, createCatalogueStore, watchCatalogue } from './catalogue/redis-catalogue.js'
export { type ClaimOptions, createClaims } from './claim/redis-claims.js'
export { type ClientSession, type ClientSessions, createClientSessions } from './client-session/client-sessions.js'
export { createKeys, type Keys, type TraceKeys } from './connection/keys.js'
export {
  loadScripts,
  openRedisLink,
  type RedisClient,
  type RedisLink,
  type RedisLinkOptions,
} from './connection/redis-link.js'
export { type ChannelListener, type Subscriptions, shareSubscriptions } from './connection/subscriptions.js'
export { createDeadLetters, type DeadLetterQuery, type DeadLetters } from './dead-letter/dead-letters.js'
export type { Errand } from './errand/errand.js'
export { type ErrandDesk, type ErrandDeskOptions, openErrandDesk } from './errand/errand-desk.js'
export { type ErrandTaker, type ErrandTakerOptions, takeErrands } from './errand/errand-taker.js'
export { EntryBatch } from './feed/entry-batch.js'
export {
  openTraceFeeds,
  type TraceFeeds,
  type TraceFeedsOptions,
  type WatchRequest,
} from './feed/trace-feeds.js'
export type { Watch, WatchSink } from './feed/watcher.js'
export { type CallIndex, createCallIndex } from './index/call-index.js'
export { createOpenCalls, type OpenCalls } from './index/open-calls.js'
export { createLeases, type Leases } from './lease/leases.js'
export { type MemoryState, memoryTrouble } from './memory/memory-state.js'
export { type MemoryWatch, type MemoryWatchOptions, watchMemory } from './memory/memory-watch.js'
export type { ChangeNotice } from './notice/change-notice.js'
export { type ChangeNotices, type ChangeNoticesOptions, openChangeNotices } from './notice/change-notices.js'
export type { NoticeBatch } from './notice/notice-batch.js'
export type { NoticeLoss, NoticeSink } from './notice/tenant-notices.js'
export { type AgentPaces, openAgentPaces } from './pace/agent-paces.js'
export { createHeldQuestions, type HeldQuestions } from './question/held-questions.js'
export { readStateKey } from './question/state-key.js'
export { createCancelBroadcast } from './queue/cancel-channel.js'
export { type JobEnd, type QueueWorker, type QueueWorkerOptions, startQueueWorker } from './queue/queue-worker.js'
export { type AgentQueues, openAgentQueues } from './queue/redis-call-queue.js'
export { type Ending, listenForReplies, type Replies } from './reply/replies.js'
export { createRequestCancels, type RequestCancels } from './request/request-cancels.js'
export { adoptTraces } from './retention/adoption.js'
export { createRetentionStore } from './retention/retention-store.js'
export { explainRefusal } from './server/connection-refusal.js'
export { checkServer, type ServerFacts } from './server/server-check.js'
export { askServer, type ServerQuestion } from './server/server-question.js'
export { isSupportedVersion, OLDEST_REDIS_VERSION } from './server/supported-version.js'
export type { Sessions } from './session/redis-sessions.js'
export { openStore, type Store, type StoreOptions } from './store.js'
export { createTickets } from './ticket/redis-tickets.js'
export type { LogEntry, TraceHead } from './trace/log-entry.js'
export { createTraceList, type TraceFilter, type TraceList, type TraceQuery } from './trace/trace-list.js'
export { createTraceReader, type TraceReader } from './trace/trace-reader.js'
export { toCallSummary, toResolutionView } from './trace/trace-view.js'
