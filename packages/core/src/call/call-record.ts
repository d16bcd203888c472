import type { CallMode, CallState, JsonObject, ProgressView } from '@synchub/protocol'
import type { Resolution } from '../dead-letter/resolution.js'
import type { Grant } from '../delegation/grant.js'
import type { Question } from '../input/question.js'
import type { TraceRef } from '../trace/trace-ref.js'

/** Version of the record's layout in the store; a reader refuses one that it does not know. */
export const CALL_RECORD_VERSION = 1

/** What is known of a call when it is recorded. Arguments live only here, never in jobs or events. */
export interface NewCall {
  readonly callId: string
  readonly trace: TraceRef
  /** The trace as its caller's own tracing names it (W3C Trace Context), where its traceId is no such name. */
  readonly w3cTraceId?: string
  /** The agent that asked, as the principal is allowed to call itself. */
  readonly caller: string
  readonly agent: string
  /** The agent's own name of the tool. */
  readonly tool: string
  readonly mode: CallMode
  /** Digest of the tool's schemas that the arguments were checked against; empty where the tool is unknown. */
  readonly toolRevision: string
  readonly arguments: JsonObject
  readonly parentCallId?: string
  /** The parent's attempt whose agent made this call itself; absent for a call that only names a parent. */
  readonly parentAttempt?: number
  /** The fence of that attempt. */
  readonly parentFence?: string
  /** Number of calls from the root of the tree down to this one; absent for a root. */
  readonly depth?: number
  /** What the agent may use of its caller's scopes; only where it may make calls of its own. */
  readonly grant?: Grant
  /** Random mark of the attempt that was opened last, beside its number; absent before the first one. */
  readonly fence?: string
  /** SHA-256 (hex) of the run access token of each attempt, by attempt from 1; empty where one got none. */
  readonly accessDigests?: readonly string[]
  /** The call that this one runs again. */
  readonly originCallId?: string
  /** SHA-256 of the idempotency key and of tool with arguments, where a key was given. */
  readonly idempotency?: IdempotencyClaim
  /** Instant (ms) until which a queued call may wait for its start. */
  readonly queueDeadlineAtMs?: number
  /** How long the caller of a task wants to read it after it was made, in ms; absent where it named no time. */
  readonly taskTtlMs?: number
  /** What the caller can be asked while the call goes on, as it has declared it (MCP `ClientCapabilities`); nothing where absent. */
  readonly inputCapabilities?: JsonObject
  /** The hub that waits for the answer, and holds the lease of a direct call. */
  readonly hubId: string
}

/** A caller's key and what it was used for, both as digests. */
export interface IdempotencyClaim {
  /** SHA-256 of the key, hex. */
  readonly keyDigest: string
  /** SHA-256 of tool and canonical arguments, hex. */
  readonly payloadDigest: string
  /** Until when the call may be recorded under the claim (ms, by the clock of the store); only while it is about to be. */
  readonly recordByMs?: number
}

/** A call without its arguments, which may be as large as a request: all that most steps need to know of it. */
export type CallOutline = Omit<CallRecord, 'arguments'>

/** A call as it stands in the store. */
export interface CallRecord extends NewCall {
  readonly state: CallState
  /** Number of runs so far: with `fence` the fencing token of the one that runs. */
  readonly attempt: number
  readonly progress?: ProgressView
  readonly createdAtMs: number
  /** What the agent asked last; its answers too, once there are some. */
  readonly question?: Question
  /** When it last told progress. */
  readonly progressAtMs?: number
  /** Start of the current attempt. */
  readonly startedAtMs?: number
  readonly endedAtMs?: number
  /** Title of the error that it ended with, where it failed or its outcome is unknown. */
  readonly endCode?: string
  /** Set where it completed and its tool answered that it failed. */
  readonly isError?: true
  /** What became of it, found out after it was given up. */
  readonly resolution?: Resolution
}
