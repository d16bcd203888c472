import { HubError } from '@synchub/protocol'
import type { CallLog, EventDraft } from '../call/call-log.js'
import type { NewCall } from '../call/call-record.js'
import type { Clock } from '../clock.js'
import { endingOfError } from '../completion/ending.js'
import type { HubConfig } from '../config/hub-config.js'
import type { IdempotencyClaims } from '../idempotency/claims.js'
import { withStorePatience } from '../run/store-patience.js'
import type { StopSignal } from '../stop-switch.js'

/** What recording a new call works with. */
export interface RecordPorts {
  readonly config: HubConfig
  readonly clock: Clock
  readonly log: CallLog
  readonly claims: IdempotencyClaims
  /** Aborts when the process stops. */
  readonly stopping: StopSignal
  /** Told of what the edge should log. */
  notice(call: NewCall | null, reason: string): void
}

/**
 * Records a new call. A Redis that hangs takes what was sent to it once it goes on: where no answer came, nobody knows whether the call
 * is recorded. Its caller is told that nothing was done, so it is taken back until that is true.
 * @throws HubError HUB_UNAVAILABLE
 */
export async function recordCall(
  call: NewCall,
  events: readonly EventDraft[],
  ports: RecordPorts,
): Promise<'recorded' | 'voided' | 'orphaned' | 'full'> {
  const outcome = await ports.log.record(call, events, ports.config.limits.maxTraceBytes)
  if (outcome !== 'unanswered') return outcome
  takeBack(call, ports).catch((failure: unknown) =>
    ports.notice(call, `a call that was refused may still be recorded: ${HubError.from(failure).message}`),
  )
  throw storeSilent()
}

/** The store did not say whether it has recorded what it was given. */
export function storeSilent(): HubError {
  return new HubError('HUB_UNAVAILABLE', 'the store does not answer', { retryAfterSeconds: 2 })
}

async function takeBack(call: NewCall, { clock, log, claims, stopping }: RecordPorts): Promise<void> {
  const { callId, trace, idempotency } = call
  const reason = 'the store did not answer in time, and the caller was told that nothing was done'
  const error = new HubError('HUB_UNAVAILABLE', reason, { callId, traceId: trace.traceId })
  const ending = endingOfError('failed', error, call)
  await withStorePatience(
    clock,
    async () => {
      // Sent together: both stand right behind the record, before anybody can see it and begin with it.
      const ended = log.change({ call, events: [ending] })
      const [outcome, withdrawn] = await Promise.all([ended, log.withdraw(call)])
      if (outcome.kind === 'missing' && !withdrawn) await log.change({ call, events: [ending] })
    },
    stopping,
  )
  if (idempotency !== undefined) await claims.release(trace, idempotency.keyDigest, callId)
}
