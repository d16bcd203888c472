import type { ToolPolicy } from '../../src/index.js'

/** A policy of which a test only cares for `own`. */
export function policyWith(own: Partial<ToolPolicy>): ToolPolicy {
  return {
    mode: 'queued',
    silenceTimeoutMs: 1000,
    maxDurationMs: 3000,
    queueWaitMs: 60_000,
    lateAnswerMs: 1000,
    safeToRepeat: false,
    taskOnly: false,
    asksFirst: false,
    maxAttempts: 3,
    retryDelayMs: 100,
    ...own,
  }
}
