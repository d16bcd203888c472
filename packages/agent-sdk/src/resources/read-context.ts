import type { AgentLogger } from '../logging/logger.js'

/** What the functions of prompts and resources are given. */
export interface ReadContext {
  /** Aborts when the reader cancels or has gone. */
  readonly signal: AbortSignal
  readonly logger: AgentLogger
}
