import type { CallChange, EventDraft } from '../call/call-log.js'
import type { CallRecord } from '../call/call-record.js'
import { createRunAccess, type OpenedCall } from '../delegation/run-access.js'
import { createFence } from './fence.js'
import type { RunPorts } from './run-ports.js'

/** The attempt that comes after the one of a record. */
export interface NextAttempt {
  readonly started: EventDraft<'started'>
  /** What the change that opens it carries beside its events. */
  readonly opening: Pick<CallChange, 'opensAttempt' | 'set'>
  /** The call as it stands once that change was made; an agent that makes calls of its own gets a new access token with it. */
  open(): OpenedCall
}

/** Prepares the next attempt of a call. */
export function nextAttempt(call: CallRecord, { config, clock }: Pick<RunPorts, 'config' | 'clock'>): NextAttempt {
  const attempt = call.attempt + 1
  const fence = createFence()
  const access = createRunAccess(call, attempt, config)
  return {
    started: { event: 'started', data: { attempt } },
    opening: {
      opensAttempt: true,
      set: { fence, ...(access === undefined ? {} : { accessDigests: access.accessDigests }) },
    },
    open() {
      const { accessToken: _earlier, ...record }: OpenedCall = call
      return { ...record, ...access, state: 'running', attempt, fence, startedAtMs: clock.now() }
    },
  }
}
