import type { JsonRpcErrorObject } from '../errors/error-object.js'
import type { TokenUsage } from '../tools/call-result.js'
import type { ContentItem } from '../tools/content.js'

/** Names of the events that a trace log holds, in the order of a call's life. */
export const EVENT_NAMES = [
  'received',
  'accepted',
  'started',
  'progress',
  'retrying',
  'handed_back',
  'input_requested',
  'input_received',
  'complete',
  'failed',
  'refused',
  'cancelled',
  'unknown',
  'resolved',
] as const

/** The name of an event of a trace log. */
export type EventName = (typeof EVENT_NAMES)[number]

/** Events after which nothing more comes of a call. */
export const TERMINAL_EVENTS = ['complete', 'failed', 'refused', 'cancelled', 'unknown'] as const satisfies EventName[]

/** The name of an event that ends a call. */
export type TerminalEventName = (typeof TERMINAL_EVENTS)[number]

/** Whether `name` ends a call. */
export function isTerminalEvent(name: string): name is TerminalEventName {
  return (TERMINAL_EVENTS as readonly string[]).includes(name)
}

/** Members that every event has at the top level of its data. */
export interface EventEnvelope {
  /** Number of the event within its trace: 1, 2, 3 ... without a hole. */
  readonly seq: number
  /** Instant, ISO 8601; never runs backwards within a trace. */
  readonly at: string
  readonly traceId: string
  readonly callId: string
  readonly tool: string
}

/** `progress` as in S0.6. */
export interface ProgressData extends EventEnvelope {
  /** `prg-01`, `prg-02` ...: one sequence per call, `complete` included. Named so by S0.6. */
  readonly token: string
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** `complete` as in S0.6; `content` stands beside the structured `result`. What is larger than 64 KiB is linked. */
export interface CompleteData extends EventEnvelope {
  readonly token: string
  readonly progress: number
  readonly total: number
  readonly result?: unknown
  readonly content?: readonly ContentItem[]
  readonly isError: boolean
  readonly executionTimeMs: number
  readonly tokenUsage?: TokenUsage
  /** Where the result is to be had when it is too large for an event. */
  readonly resultLink?: string
  /** Size of the linked result, in bytes of JSON. */
  readonly resultBytes?: number
}

/** `failed`, `refused`, `cancelled` and `unknown`. */
export interface FailureData extends EventEnvelope {
  readonly error: JsonRpcErrorObject
}

/** `received`: who asked whom. */
export interface ReceivedData extends EventEnvelope {
  readonly caller: string
  readonly agent: string
  readonly parentCallId?: string
  /** The call that this one runs again. */
  readonly originCallId?: string
}

/** `started`: an attempt was opened. */
export interface StartedData extends EventEnvelope {
  readonly attempt: number
}

/** `retrying`: an attempt was given up and another will follow. */
export interface RetryingData extends EventEnvelope {
  readonly attempt: number
  readonly delayMs: number
  readonly reason: string
}

/** `input_requested`: the agent goes on only when its caller has answered. */
export interface InputRequestedData extends EventEnvelope {
  /** What it asks, by a name that the answer repeats (MCP `inputRequests`). */
  readonly inputRequests: Readonly<Record<string, unknown>>
}

/** `input_received`: which questions were answered; what was answered is for the agent alone. */
export interface InputReceivedData extends EventEnvelope {
  readonly answered: readonly string[]
}

/** `resolved`: what became of a call that was given up. At most one, after its end; the end stays as it was reported. */
export interface ResolvedData extends EventEnvelope {
  /** Subject of the person who found out, or name of the agent that answered after all. */
  readonly by: string
  readonly reason: string
  /** True where the agent itself answered, after its time; what, is at `resultLink`. */
  readonly late?: true
  readonly resultLink?: string
}

/** `accepted` and `handed_back` need nothing but the envelope. */
export type PlainData = EventEnvelope

/** What each event carries. */
export interface EventDataByName {
  readonly received: ReceivedData
  readonly accepted: PlainData
  readonly started: StartedData
  readonly progress: ProgressData
  readonly retrying: RetryingData
  readonly handed_back: PlainData
  readonly input_requested: InputRequestedData
  readonly input_received: InputReceivedData
  readonly complete: CompleteData
  readonly failed: FailureData
  readonly refused: FailureData
  readonly cancelled: FailureData
  readonly unknown: FailureData
  readonly resolved: ResolvedData
}

/** One event as readers get it: the cursor, the name and the decoded data. */
export type TraceEvent = {
  readonly [Name in EventName]: {
    /** Opaque cursor of this very event; resume after it. */
    readonly id: string
    readonly event: Name
    readonly data: EventDataByName[Name]
  }
}[EventName]

/** Why a stream could not go on after the reader's cursor. */
export type ResetReason = 'invalid' | 'trimmed' | 'replaced' | 'future'
