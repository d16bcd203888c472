import type { JsonObject } from '@synchub/protocol'
import type { AgentProgress } from './agent-connection.js'

/** Longest progress message that the log takes, in characters; longer ones are cut. */
const MAX_MESSAGE_LENGTH = 4096

/** Progress that may go into the log, or why it may not. */
export type ProgressReading =
  | { readonly ok: true; readonly progress: number; readonly total?: number; readonly data: JsonObject }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads a progress report of an agent (invariant 4): a finite number from 0, a finite total, a text. That it rises is checked
 * where the log is written, since only there the last value is known for sure.
 */
export function readProgress({ progress, total, message }: AgentProgress): ProgressReading {
  if (!isAmount(progress)) return { ok: false, reason: 'progress is not a finite number from 0' }
  if (total !== undefined && !isAmount(total)) return { ok: false, reason: 'total is not a finite number from 0' }
  if (message !== undefined && typeof message !== 'string') return { ok: false, reason: 'message is not a text' }
  if (total !== undefined && progress > total) return { ok: false, reason: 'progress is larger than total' }
  return {
    ok: true,
    progress,
    ...(total === undefined ? {} : { total }),
    data: {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    },
  }
}

/** Progress as the log takes it. What is secret must be masked before: half of a secret is not recognised any more. */
export function cutProgress(data: JsonObject): JsonObject {
  const { message } = data
  if (typeof message !== 'string' || message.length <= MAX_MESSAGE_LENGTH) return data
  // Never cuts a character of two units apart: half of one is no text.
  return { ...data, message: message.slice(0, MAX_MESSAGE_LENGTH).replace(/[\ud800-\udbff]$/, '') }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
