import type { TokenUsage } from '@synchub/protocol'

/** What came of asking a language model for a summary. */
export type ModelSummary =
  | { readonly outcome: 'written'; readonly text: string; readonly model: string; readonly tokenUsage?: TokenUsage }
  /** The report is written without it and says why. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly tokenUsage?: TokenUsage }

/** One message to the model. */
export interface PromptMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

/** Asks for a summary; throws only when `signal` aborts. */
export type Summarize = (messages: readonly PromptMessage[], signal: AbortSignal) => Promise<ModelSummary>
