import type { JsonRpcErrorObject } from '../errors/error-object.js'
import type { CallMode } from '../tools/tool.js'
import type { CallState, TraceState } from './call-state.js'

/** Where the parts of a call or a trace can be read, as paths of the hub. */
export type Links = Readonly<Record<string, string>>

/** How far a call is. */
export interface ProgressView {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** What became of a call that was given up, as somebody found out. */
export interface ResolutionView {
  /** Instant, ISO 8601. */
  readonly at: string
  /** Subject of the person, or name of the agent that answered after all. */
  readonly by: string
  readonly reason: string
}

/** A call without its arguments and result: what lists and trees show. */
export interface CallSummary {
  readonly callId: string
  readonly traceId: string
  readonly parentCallId?: string
  /** The call that this one runs again; it may be of another trace and owner. */
  readonly originCallId?: string
  readonly tool: string
  readonly agent: string
  readonly caller: string
  readonly state: CallState
  readonly mode: CallMode
  readonly attempt: number
  readonly progress?: ProgressView
  /** True where the call completed and its tool answered that it failed. */
  readonly isError?: boolean
  /** Instants, ISO 8601. */
  readonly createdAt: string
  readonly startedAt?: string
  readonly endedAt?: string
  /** Set once somebody found out what became of a call that was given up. */
  readonly resolution?: ResolutionView
}

/** A call that waits for a person: `GET /dead-letters`. */
export interface DeadLetterView extends CallSummary {
  readonly owner: string
  /** How it ended. */
  readonly error?: JsonRpcErrorObject
  readonly links: Links
}

/** A call in its trace, with the calls that its agent made while it worked on it. */
export interface CallNode extends CallSummary {
  readonly children: readonly CallNode[]
}

/** A whole call: `GET /calls/{id}` and `calls/get`. */
export interface CallView extends CallSummary {
  readonly arguments: unknown
  /** Set once the call completed: the structured result and the content, however large. */
  readonly result?: unknown
  readonly content?: readonly unknown[]
  readonly executionTimeMs?: number
  readonly tokenUsage?: unknown
  /** Set once the call ended otherwise. */
  readonly error?: JsonRpcErrorObject
  /** What the agent answered after the call was given up: for whoever looks it up, and never the answer of the call. */
  readonly late?: LateAnswerView
  readonly links: Links
}

/** An answer that came too late: the members that the call would have had. */
export type LateAnswerView = Pick<
  CallView,
  'result' | 'content' | 'isError' | 'executionTimeMs' | 'tokenUsage' | 'error'
> & {
  /** Instant, ISO 8601. */
  readonly at: string
}

/** A trace in a list: `GET /traces`. */
export interface TraceSummary {
  readonly traceId: string
  readonly owner: string
  readonly state: TraceState
  /** Tool, agent and caller of the first call; the agent is empty where the tool is unknown. */
  readonly rootTool: string
  readonly rootAgent: string
  readonly caller: string
  readonly callCount: number
  readonly openCalls: number
  readonly lastSeq: number
  /** Number of the first event that is kept; absent where all are. */
  readonly firstSeq?: number
  readonly createdAt: string
  readonly updatedAt: string
  /** When the last call ended, where the trace changed after it: somebody said what became of a call. */
  readonly endedAt?: string
  readonly links: Links
}

/** A trace at one instant: `GET /traces/{id}`. Watch on after `cursor` and nothing is missed. */
export interface TraceView extends TraceSummary {
  /** Id of the last event that this snapshot holds. */
  readonly cursor: string
  readonly calls: readonly CallNode[]
  /** True when the trace has more calls than the snapshot shows. */
  readonly truncated: boolean
}

/** A page of a list; `nextCursor` is absent on the last one. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}
