import type { ContentItem, JsonObject, TokenUsage } from '@synchub/protocol'
import type { InputAnswers } from '../inputs/answers.js'
import type { CanAsk } from '../inputs/question.js'
import type { InputWish } from '../inputs/wish.js'
import type { AgentLogger } from '../logging/logger.js'

/** How far a call is. The hub passes on only values that rise. */
export interface ProgressUpdate {
  /** Finite; at most `total` where there is one. */
  readonly progress: number
  readonly total?: number
  /** One sentence for people. */
  readonly message?: string
}

/** What a handler is given beside its arguments. */
export interface ToolContext {
  /** Identity of the work: a repeat with the same callId never starts it twice while it runs or once it is answered. */
  readonly callId: string
  readonly traceId: string
  /** Number of this attempt, from 1. Above 1 an earlier one may have done part of the work. */
  readonly attempt: number
  /** When the caller's patience ends. The hub keeps the clock; use it to plan. */
  readonly deadline?: Date
  readonly callerAgent?: string
  /**
   * Lets this work make calls of its own through the hub, as children of its call: sent as `Authorization: Bearer <accessToken>`.
   * Undefined where the hub gives none. It is good for the running attempt only, and a repeat that joins this work brings a new one:
   * read it anew for each request, and keep it nowhere. Masked in what `logger` writes.
   */
  readonly accessToken: string | undefined
  /**
   * Aborts when the call is cancelled, nobody waits for it any more, or the agent stops. Give up by throwing, e.g. with
   * `signal.throwIfAborted()`: what a handler returns counts as its answer.
   */
  readonly signal: AbortSignal
  /** Carries traceId, callId and tool on every line. */
  readonly logger: AgentLogger
  /** Tells the watchers how far the work is. Never throws and never waits; readers that are slow see only the latest. */
  readonly progress: (update: ProgressUpdate) => void
  /** What the caller says that it can be asked; `inputRequired` of anything else ends the call with CAPABILITY_MISSING. */
  readonly canAsk: CanAsk
  /** What the caller has answered so far, by the names that the handler asked under; each one keeps its form. */
  readonly inputs: InputAnswers
  /** The state that the handler gave along when it asked last. */
  readonly inputState?: JsonObject
}

/** What a handler returns: content for models and people, a structured result for programs, or both. */
export interface HandlerResult {
  readonly content?: readonly ContentItem[]
  readonly structuredContent?: JsonObject
  /** True when the tool ran and failed: an answer, not a fault of the agent (S2.3). Default false. */
  readonly isError?: boolean
  readonly tokenUsage?: TokenUsage
}

/** What a handler may return: a string is one item of text. */
export type HandlerReturn = HandlerResult | string | InputWish

/** The work of a tool. A failure with a code is thrown as a ToolError. */
export type ToolHandler<Args> = (args: Args, ctx: ToolContext) => Promise<HandlerReturn> | HandlerReturn
