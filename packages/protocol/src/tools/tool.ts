import type { JsonObject } from '../json-rpc/frame.js'

/** A tool as `tools/list` shows it (MCP `Tool`). */
export interface Tool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
}

/** A tool in the hub's own list: the name to call it by, and how the hub runs it. */
export interface ListedTool extends Tool {
  readonly _meta: {
    readonly agent: string
    /** `direct`: a short tool, answered at once. `queued`: a long one, durable and streamed. */
    readonly mode: CallMode
    /** False while the agent cannot be reached: calls answer AGENT_UNAVAILABLE. */
    readonly available: boolean
  }
}

/** Short tools run `direct`, long ones `queued`. */
export type CallMode = 'direct' | 'queued'
