import type { HubError, InputRequired, JsonObject, Tool, ToolResult } from '@synchub/protocol'
import type { OfferList, OfferSource } from '../offers/agent-offers.js'
import type { StopSignal } from '../stop-switch.js'
import type { CarriedHeaders } from './carried-headers.js'

/** What an agent is asked to do. */
export interface AgentCallRequest {
  /** The key under which the agent recognises a repeat. */
  readonly callId: string
  readonly traceId: string
  /** The call within its trace, for agents that trace too (W3C Trace Context); absent where the trace has no name of that kind. */
  readonly traceparent?: string
  readonly attempt: number
  readonly tool: string
  readonly arguments: JsonObject
  /** Of the tool, as the catalogue has it: a connection that must say arguments in headers too learns from it which ones. */
  readonly inputSchema?: JsonObject | undefined
  /** Instant, ISO 8601, after which the hub does not wait any more. */
  readonly deadline: string
  readonly callerAgent: string
  readonly targetAgent: string
  /** The run access token of this attempt, for an agent that makes calls of its own. */
  readonly accessToken?: string
  /** What the caller can be asked, as it has declared it; nothing where absent. */
  readonly inputCapabilities?: JsonObject
  /** What the caller answered to what the agent asked for, with the state that the agent gave along. */
  readonly input?: { readonly responses: JsonObject; readonly requestState?: string }
  /** Headers of the caller that a connection over HTTP sends along unread. */
  readonly carried?: CarriedHeaders
}

/** Progress as the agent sent it: not checked yet. */
export interface AgentProgress {
  readonly progress: unknown
  readonly total?: unknown
  readonly message?: unknown
}

/** Told of what comes while the agent works. */
export interface AgentObserver {
  /** The connection reads on when this has settled, so that a fast agent is slowed, never buffered. */
  onProgress(progress: AgentProgress): Promise<void>
  /** Something that is no progress, but shows that the agent works. */
  onSignOfLife(): void
}

/** How a request to an agent ended; different answers stay different. */
export type AgentOutcome =
  | { readonly kind: 'result'; readonly result: ToolResult }
  /** It goes on only once its caller has answered what it asks. */
  | { readonly kind: 'input'; readonly input: InputRequired }
  /** The agent answered with an error object. */
  | { readonly kind: 'error'; readonly error: HubError }
  /** What it sent is not what the contract says: CONTRACT_BROKEN. */
  | { readonly kind: 'broken'; readonly error: HubError }
  /** It was surely not asked: AGENT_UNAVAILABLE. */
  | { readonly kind: 'unreachable'; readonly error: HubError }
  /** The connection was lost after the request had gone out: OUTCOME_UNKNOWN (invariant 7). */
  | { readonly kind: 'lost'; readonly error: HubError }
  /** Our own signal ended it. */
  | { readonly kind: 'aborted' }

/** One agent, reached over one connector; a caller cannot tell which (S3.1). */
export interface AgentConnection {
  /** What it offers beside its tools. */
  readonly offers: OfferSource
  /** @throws HubError AGENT_UNAVAILABLE or CONTRACT_BROKEN */
  listTools(signal: AbortSignal): Promise<OfferList<Tool>>
  /** Never throws for what the agent does: that is an outcome. */
  call(request: AgentCallRequest, observer: AgentObserver, signal: StopSignal): Promise<AgentOutcome>
  /** Tells the agent that nobody wants the answer any more; best effort, bounded in time. */
  notifyCancelled(callId: string, reason: string): Promise<void>
  close(): Promise<void>
}
