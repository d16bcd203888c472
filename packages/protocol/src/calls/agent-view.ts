import type { CallMode } from '../tools/tool.js'

/** A worker agent as its callers see it: `GET /agents`. */
export interface AgentView {
  readonly name: string
  /** False while the agent cannot be reached: calls answer AGENT_UNAVAILABLE. */
  readonly available: boolean
  /** Why it is not available, in words. */
  readonly reason?: string
  /** How far the agent is trusted: `local`, `internal`, `external`. */
  readonly trust: string
  /** How the hub reaches it: `native`, `mcp-http`, `mcp-stdio`, `tool-service`. */
  readonly connector: string
  /** Tools that the asker may call, each by the name to call it by. */
  readonly tools: readonly { readonly name: string; readonly mode: CallMode }[]
  /** Tools that the hub does not offer, each with the reason. */
  readonly refused: readonly { readonly tool: string; readonly reason: string }[]
}

/** What `GET /agents` answers. */
export interface AgentList {
  readonly agents: readonly AgentView[]
}
