import type { RetentionConfig } from '../config/hub-config.js'
import { isDeadLetter } from '../dead-letter/dead-letter.js'
import type { KeptCall } from './retention-store.js'

/** Until when age and number do not remove a trace, whatever they say of it, in ms; 0 where nothing was promised. */
export function keepUntilMs(calls: readonly KeptCall[], { deadLetterAgeMs }: RetentionConfig): number {
  return Math.max(0, ...calls.map((call) => Math.max(taskEndMs(call), deadLetterEndMs(call, deadLetterAgeMs))))
}

/** A caller that was given a task may read it for as long as it asked. */
function taskEndMs({ createdAtMs, taskTtlMs }: KeptCall): number {
  return taskTtlMs === undefined ? 0 : createdAtMs + taskTtlMs
}

/** Somebody has to find out what became of it, and has only the trace to go by. */
function deadLetterEndMs(call: KeptCall, deadLetterAgeMs: number): number {
  return isDeadLetter(call) && call.isResolved !== true ? call.endedAtMs + deadLetterAgeMs : 0
}
