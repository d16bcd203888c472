import type { ApiKeyEntry } from '@synchub/auth'
import type { CallMode } from '@synchub/protocol'

/** How the hub runs a tool. Only the configuration says so; an agent's own hints are not believed (S4.2). */
export interface ToolPolicy {
  /** `direct`: the hub calls the agent at once. `queued`: durable, through the agent's queue. */
  readonly mode: CallMode
  /** Longest silence of the agent within an attempt; progress starts it anew. */
  readonly silenceTimeoutMs: number
  /** Longest attempt. */
  readonly maxDurationMs: number
  /** Longest wait in the queue before the first start. */
  readonly queueWaitMs: number
  /** Whether a call may be asked again with the same callId when its outcome is not known (invariant 7). */
  readonly safeToRepeat: boolean
  /** Most attempts of one call. */
  readonly maxAttempts: number
  /** Pause before the second attempt; doubles with each further one. */
  readonly retryDelayMs: number
}

/** How far an agent is trusted (S4.1); shown to people beside its name. */
export type TrustLevel = 'local' | 'internal' | 'external'

/** A worker agent as configured. */
export interface AgentConfig {
  readonly name: string
  readonly url: string
  /** Bearer secret for the agent; from the environment. */
  readonly secret?: string
  readonly trust: TrustLevel
  /** Calls of this agent that one dispatcher runs at the same time. */
  readonly concurrency: number
  readonly policy: ToolPolicy
  /** Policies of single tools, by the agent's own name of the tool. */
  readonly tools: ReadonlyMap<string, ToolPolicy>
}

/** Who may use the hub. */
export type AccessConfig = { readonly mode: 'none' } | { readonly mode: 'keys'; readonly keys: readonly ApiKeyEntry[] }

/** Bounds of what a caller may send, and of how long an answer is waited for. */
export interface RequestLimits {
  readonly maxBodyBytes: number
  readonly maxDepth: number
  readonly maxBatchSize: number
  /** Longest wait for a JSON answer; below the 60 s at which proxies cut silent requests. */
  readonly maxWaitMs: number
  /** Wait for a JSON answer where the caller names none. */
  readonly defaultWaitMs: number
}

/** Behaviour of event streams. */
export interface StreamConfig {
  readonly heartbeatMs: number
  /** Age at which a stream is closed, to end dead peers; the reader resumes. Spread by a fifth either way. */
  readonly maxAgeMs: number
  /** What `retry:` tells readers. */
  readonly retryMs: number
  /** How long a trace without open calls waits for a further call before its streams end. */
  readonly lingerMs: number
  /** Bytes that may wait in a reader's socket before it leaves the live path. */
  readonly maxBufferedBytes: number
  /** How long a reader may take nothing before it is cut. */
  readonly stallTimeoutMs: number
}

/** The configuration of hub and dispatcher, with every default filled in. */
export interface HubConfig {
  readonly access: AccessConfig
  /** Host names (without port) that requests may be addressed to. */
  readonly allowedHosts: readonly string[]
  /** Origins (`https://host:port`) from which browsers may call, beside those on an allowed loopback host. */
  readonly allowedOrigins: readonly string[]
  readonly limits: RequestLimits
  readonly streams: StreamConfig
  readonly agents: ReadonlyMap<string, AgentConfig>
}

/** The policy of one tool of an agent. */
export function policyOf(agent: AgentConfig, tool: string): ToolPolicy {
  return agent.tools.get(tool) ?? agent.policy
}
