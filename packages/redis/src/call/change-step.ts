import type { CallChange, ChangeOutcome, EventDraft } from '@synchub/core'
import type { CallState } from '@synchub/protocol'
import type { EndedRun } from '../pace/agent-paces.js'
import { encodeDigests } from './call-fields.js'

/** Title of the error that a call ends with, for those that may wait for a person then. */
export function endCodeOf({ event, data }: EventDraft): string | undefined {
  if (event !== 'failed' && event !== 'unknown') return undefined
  const { data: problem } = data.error as { readonly data?: { readonly title?: string } }
  return problem?.title
}

/** The fields of the call's hash that a change sets, as field, value, field, value ... */
export function encodeChange({ events, set }: CallChange): (string | number)[] {
  const fields: (string | number)[] = []
  const last = events.at(-1)
  if (last?.event === 'progress') {
    for (const name of ['progress', 'total']) {
      const value = last.data[name]
      if (typeof value === 'number') fields.push(name, value)
    }
    // As JSON: UTF-8 alone would lose a lone surrogate.
    if (typeof last.data.message === 'string') fields.push('message', JSON.stringify(last.data.message))
  }
  if (last?.event === 'complete' && last.data.isError === true) fields.push('isError', 1)
  const endCode = last === undefined ? undefined : endCodeOf(last)
  if (endCode !== undefined) fields.push('endCode', endCode)
  if (set?.mode !== undefined) fields.push('mode', set.mode)
  if (set?.accessDigests !== undefined) fields.push('accessDigests', encodeDigests(set.accessDigests))
  if (set?.queueDeadlineAtMs !== undefined) fields.push('queueDeadlineAtMs', set.queueDeadlineAtMs)
  if (set?.hubId !== undefined) fields.push('hubId', set.hubId)
  if (set?.question !== undefined) fields.push('question', JSON.stringify(set.question))
  return fields
}

/** The run that ended with a call, as the step that ended it answers; undefined where it had none. */
export function decodeRun(reply: unknown): Pick<EndedRun, 'agent' | 'ranMs'> | undefined {
  const [agent, ranMs] = (reply as unknown[]).slice(4)
  return typeof agent === 'string' && typeof ranMs === 'number' ? { agent, ranMs } : undefined
}

/** Reads what the step that changes a call answers. */
export function decodeOutcome(reply: unknown): ChangeOutcome {
  const [kind, second, state, lastEventId] = reply as [ChangeOutcome['kind'], unknown, CallState, string]
  switch (kind) {
    case 'changed':
      return { kind, attempt: Number(second), state, lastEventId }
    case 'not-allowed':
      return { kind, state: second as CallState }
    case 'fenced':
      return { kind, attempt: Number(second) }
    default:
      return { kind }
  }
}
