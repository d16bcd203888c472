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
  /** How long a native agent may still answer after its time, for whoever looks the call up. */
  readonly lateAnswerMs: number
  /** Whether a call may be asked again with the same callId when its outcome is not known (invariant 7). */
  readonly safeToRepeat: boolean
  /** Over MCP only clients that take tasks may call it: it takes longer than anybody waits. Long tools only. */
  readonly taskOnly: boolean
  /** Its agent asks the caller before it works: it is waited a moment for that before the call becomes a task. */
  readonly asksFirst: boolean
  /** Most attempts of one call. */
  readonly maxAttempts: number
  /** Pause before the second attempt; doubles with each further one. */
  readonly retryDelayMs: number
}

/** How far an agent is trusted (S4.1); shown to people beside its name. */
export type TrustLevel = 'local' | 'internal' | 'external'

/** How the hub reaches an agent (design section 7). */
export type Connector = AgentReach['connector']

/** An agent that is reached at a URL: one of the native surface, or an MCP server over Streamable HTTP. */
interface EndpointReach {
  readonly connector: 'native' | 'mcp-http'
  readonly url: string
  /** Bearer secret for the agent; from the environment. */
  readonly secret?: string
}

/** A plain HTTP tool service. */
export interface ServiceReach {
  readonly connector: 'tool-service'
  readonly url: string
  /** Bearer secret for the service; from the environment. */
  readonly secret?: string
  /** Where its tools are listed: a URL relative to `url`, or `file:<path>`. */
  readonly manifest: string
}

/** An MCP server that a dispatcher starts as a child process. Nothing of this comes from a caller (invariant 13). */
export interface ProcessReach {
  readonly connector: 'mcp-stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Everything that the process sees of an environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Values of it that the configuration took from variables of our own environment: nothing of them is recorded or shown. */
  readonly secrets: readonly string[]
  /** Working directory; that of the dispatcher where there is none. */
  readonly cwd?: string
  /** Files, and the SHA-256 (hex) that each must have before every start (S4.1). */
  readonly sha256: ReadonlyMap<string, string>
}

/** How an agent is reached, for its connector. */
export type AgentReach = EndpointReach | ServiceReach | ProcessReach

/** A worker agent as configured. */
export type AgentConfig = AgentReach & AgentRules

/** What holds for an agent however it is reached. */
interface AgentRules {
  readonly name: string
  readonly trust: TrustLevel
  /** Calls of this agent that one dispatcher runs at the same time. */
  readonly concurrency: number
  readonly policy: ToolPolicy
  /**
   * What it may call on behalf of its callers while it works: agents, or tools as `Agent.tool`. Without it the agent gets no access
   * token and makes no calls of its own.
   */
  readonly delegates?: readonly string[]
  /** Policies of single tools, by the agent's own name of the tool. */
  readonly tools: ReadonlyMap<string, ToolPolicy>
}

/** Where a deployment takes its tools from: `production` only from its service, `local` from a file until that has answered once. */
export type DeploymentProfile = 'production' | 'local'

/** A public path: a deployment of its own with its own tool service; nothing of it is shared with another (S1.2). */
export interface PublicPath {
  /** As callers post to it: `/agent-builder/hr`. */
  readonly path: string
  /** What `initialize` tells of it beside its name. */
  readonly title: string
  readonly version: string
  /** Its tool service, as an agent that is reached by this path alone. */
  readonly agent: Extract<AgentConfig, ServiceReach>
  readonly profile: DeploymentProfile
  /** The file that lists the tools until the service has; the profile `local` only. */
  readonly fallbackManifest?: string
  /** Pause between two looks at the manifest. */
  readonly refreshMs: number
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
  /** Most calls in a chain in which each was made for the one before. */
  readonly maxCallDepth: number
  /** Most bytes of progress that a trace holds. */
  readonly maxTraceProgressBytes: number
  /** Bytes of arguments, results and events that a trace may hold when a call is added to it. */
  readonly maxTraceBytes: number
  /** What one caller, a subject of a tenant, may have. */
  readonly caller: CallerQuota
  /** What all callers of a tenant together may have. */
  readonly tenant: CallQuota
}

/** How many calls may be sent and be open; no bound where absent. What agents at work call for a caller is not counted. */
export interface CallQuota {
  readonly callsPerMinute?: number
  readonly openCalls?: number
}

/** What one caller may have. */
export interface CallerQuota extends CallQuota {
  /** Event streams that are open at one hub. */
  readonly streams: number
  /** Sessions of MCP clients of the handshake era, at all hubs. */
  readonly sessions: number
}

/** What holds for idempotency keys. */
export interface IdempotencyConfig {
  /** How long a key is remembered after its call began; longer where that goes on. */
  readonly rememberMs: number
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

/** How long what has ended is kept (design section 6). The oldest goes first, whichever bound is passed. */
export interface RetentionConfig {
  /** Age after its end at which a trace goes. */
  readonly maxAgeMs: number
  /** Most ended traces. */
  readonly maxTraces: number
  /** Memory of Redis above which traces go; by its `maxmemory` where absent. */
  readonly maxBytes?: number
  /** Events of one trace that are kept. */
  readonly maxEventsPerTrace: number
  /** Age at which a trace goes that holds a dead letter which nobody has resolved. */
  readonly deadLetterAgeMs: number
  /** Folder into which each trace is written before it goes; none where absent. */
  readonly archive?: string
}

/** Behaviour of a process that is told to stop. */
export interface StopConfig {
  /** How long runs may still take; those that are left are handed back. */
  readonly graceMs: number
}

/** The configuration of hub and dispatcher, with every default filled in. */
export interface HubConfig {
  readonly access: AccessConfig
  /** Host names (without port) that requests may be addressed to. */
  readonly allowedHosts: readonly string[]
  /** Origins (`https://host:port`) from which browsers may call, beside those on an allowed loopback host. */
  readonly allowedOrigins: readonly string[]
  readonly limits: RequestLimits
  readonly idempotency: IdempotencyConfig
  readonly streams: StreamConfig
  readonly retention: RetentionConfig
  readonly stop: StopConfig
  readonly agents: ReadonlyMap<string, AgentConfig>
  /** Deployments of their own, by the path that callers post to (S1.2). */
  readonly publicPaths: ReadonlyMap<string, PublicPath>
}

/** The agent of this name, also one that only a public path reaches. */
export function agentOf({ agents, publicPaths }: HubConfig, name: string): AgentConfig | undefined {
  return agents.get(name) ?? [...publicPaths.values()].find(({ agent }) => agent.name === name)?.agent
}

/** The policy of one tool of an agent. */
export function policyOf(agent: AgentConfig, tool: string): ToolPolicy {
  return agent.tools.get(tool) ?? agent.policy
}
