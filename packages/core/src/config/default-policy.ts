import type { ToolPolicy } from './hub-config.js'

/** The policy of a tool of which the configuration says nothing. */
export const DEFAULT_POLICY: ToolPolicy = {
  mode: 'queued',
  silenceTimeoutMs: 60_000,
  maxDurationMs: 3_600_000,
  queueWaitMs: 600_000,
  lateAnswerMs: 60_000,
  safeToRepeat: false,
  taskOnly: false,
  asksFirst: false,
  maxAttempts: 3,
  retryDelayMs: 1000,
}
