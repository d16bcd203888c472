export { type Admission, type AdmissionPorts, admit } from './admission/admit.js'
export type { CallRequest } from './admission/call-request.js'
export type { ApprovalTicket, TicketStore } from './approval/tickets.js'
export { createCallId, isCallId } from './call/call-id.js'
export type { CallChange, CallLog, ChangeOutcome, EventDraft } from './call/call-log.js'
export type { CallQueue, QueuedCall } from './call/call-queue.js'
export {
  CALL_RECORD_VERSION,
  type CallOutline,
  type CallRecord,
  type IdempotencyClaim,
  type NewCall,
} from './call/call-record.js'
export { type CancelBroadcast, type CancelOutcome, type CancelPorts, cancelCall } from './call/cancel-call.js'
export { instanceOf } from './call/problem-instance.js'
export { type ChangeEvent, transitionOf } from './call/state-table.js'
export {
  type Catalogue,
  type CatalogueAgent,
  type CatalogueStore,
  type CatalogueTool,
  EMPTY_CATALOGUE,
} from './catalogue/catalogue.js'
export { createToolJudge, type ToolJudge } from './catalogue/judge-tools.js'
export { listAgents } from './catalogue/list-agents.js'
export { listTools } from './catalogue/list-tools.js'
export { type ResolvedTool, resolveTool } from './catalogue/resolve-tool.js'
export type { ToolQuery } from './catalogue/tool-name.js'
export { type Clock, pause } from './clock.js'
export { endingOfError } from './completion/ending.js'
export { INHERITED_VARIABLES } from './config/agent-reach.js'
export { ConfigError } from './config/config-error.js'
export { CONFIG_SCHEMA } from './config/config-schema.js'
export {
  type AccessConfig,
  type AgentConfig,
  type CallerQuota,
  type CallQuota,
  type Connector,
  type DeploymentProfile,
  type HubConfig,
  type ProcessReach,
  type PublicPath,
  policyOf,
  type RequestLimits,
  type RetentionConfig,
  type ServiceReach,
  type StreamConfig,
  type ToolPolicy,
  type TrustLevel,
} from './config/hub-config.js'
export { type HubDoor, refuseOpenHub } from './config/open-hub.js'
export { type ConfigSource, parseConfig } from './config/parse-config.js'
export { compileOwnSchema, compileSchema, type SchemaCheck, SchemaError } from './contract/schema-compiler.js'
export { type ContractBook, createContractBook, type ToolContract, toolRevision } from './contract/tool-contract.js'
export { isDeadLetter, resolveCall } from './dead-letter/dead-letter.js'
export type { Resolution, ResolveOutcome } from './dead-letter/resolution.js'
export { isBelow, type NamedPlace, placeOf } from './delegation/call-place.js'
export type { Grant } from './delegation/grant.js'
export type { OpenedCall } from './delegation/run-access.js'
export { authenticateRun, type RunAccessPorts } from './delegation/run-principal.js'
export type { ClaimHolder, ClaimOutcome, ClaimScope, IdempotencyClaims } from './idempotency/claims.js'
export { digestIdempotency, digestKey, ownedKey } from './idempotency/digest.js'
export { type Answering, answerQuestion } from './input/answer-question.js'
export { INPUT_WAIT_MS, pendingRequests, type Question } from './input/question.js'
export { readState, type StateBinding, type StateContent, signState } from './input/request-state.js'
export { findAnswerFault, pickAnswers } from './input/usable-answers.js'
export { toInstant } from './instant.js'
export { acceptOffers } from './offers/accept-offers.js'
export {
  type AgentOffers,
  type AskableQuery,
  NO_OFFERS,
  type OfferKind,
  type OfferList,
  type OfferReader,
  type OfferSource,
  type PromptQuery,
  type PromptReading,
  type RefusedOffer,
  type ResourceAnswer,
  type ResourceQuery,
} from './offers/agent-offers.js'
export { guardLists, guardReason } from './offers/guarded-lists.js'
export { guardReader } from './offers/guarded-reader.js'
export { type Listed, listPrompts, listResources, listResourceTemplates } from './offers/list-offers.js'
export { type OfferRead, performRead } from './offers/offer-read.js'
export {
  type OfferScene,
  type ResolvedOffer,
  resolvePrompt,
  resolveResource,
  resolveTemplate,
} from './offers/resolve-offer.js'
export { type OpenedParts, openInOrder } from './opened-parts.js'
export type { CallCounter, QuotaHolder } from './quota/call-quota.js'
export { type RetentionPorts, type RetentionRound, runRetention } from './retention/retention-round.js'
export type {
  EndedTrace,
  KeptCall,
  OrderMove,
  RetentionStore,
  TraceCut,
  TraceFacts,
} from './retention/retention-store.js'
export type {
  AgentCallRequest,
  AgentConnection,
  AgentObserver,
  AgentOutcome,
  AgentProgress,
} from './run/agent-connection.js'
export type { CarriedHeaders } from './run/carried-headers.js'
export { openAttempt } from './run/open-attempt.js'
export { type RunEnd, runCall } from './run/run-call.js'
export type { RunPorts, RunSignals } from './run/run-ports.js'
export { RunningCalls } from './run/running-calls.js'
export { type StopSignal, StopSwitch } from './stop-switch.js'
export { type SweepPorts, type SweepResult, sweepCall } from './sweep/sweep-call.js'
export type { TraceRef } from './trace/trace-ref.js'
