import { HubError } from '@synchub/protocol'
import type { CallChange } from '../call/call-log.js'
import { endingOfError } from '../completion/ending.js'
import { policyOf } from '../config/hub-config.js'
import type { OpenedCall } from '../delegation/run-access.js'
import type { StopSignal } from '../stop-switch.js'
import { nextAttempt } from './next-attempt.js'
import { endingOfWait, queueDeadlineOf } from './queue-wait.js'
import type { RunPorts } from './run-ports.js'
import { withStorePatience } from './store-patience.js'

/**
 * Opens the next attempt of a queued call that a dispatcher was given. A call found `running` was held by a process that died:
 * it goes on only where a repeat is safe, else its outcome is unknown (invariant 7). The opening itself is repeated while the store
 * is away, so that no other process finds an attempt that nobody knows to be his.
 * @param stopping - aborts when the process stops, which then leaves the call to the sweep
 * @returns the record with the attempt open, or null when there is nothing to run
 */
export async function openAttempt(callId: string, ports: RunPorts, stopping: StopSignal): Promise<OpenedCall | null> {
  const call = await ports.log.find(callId)
  if (call === null || (call.state !== 'queued' && call.state !== 'running')) return null
  const { trace } = call
  const next = nextAttempt(call, ports)
  // Naming the attempt that we saw fences two dispatchers that were given the same call.
  const step = { call, attempt: call.attempt }
  const open = async (events: CallChange['events']) => {
    const opening = { events, ...step, ...next.opening }
    const outcome = await withStorePatience(ports.clock, () => ports.log.change(opening), stopping)
    return outcome.kind === 'changed' ? next.open() : null
  }
  if (call.state === 'running') {
    const agent = ports.config.agents.get(call.agent)
    const policy = agent === undefined ? undefined : policyOf(agent, call.tool)
    const reason = 'the process that ran the call is gone'
    if (policy === undefined || !policy.safeToRepeat || call.attempt >= policy.maxAttempts) {
      const error = new HubError('OUTCOME_UNKNOWN', `${reason}, and ${call.agent} may or may not have acted`)
      await ports.log.change({
        ...step,
        events: [endingOfError('unknown', error.with({ callId, traceId: trace.traceId }), call)],
      })
      return null
    }
    const retrying = { event: 'retrying', data: { attempt: call.attempt, delayMs: 0, reason } } as const
    return open([retrying, next.started])
  }
  // The first dispatcher after a long outage may come before the sweep.
  const now = ports.clock.now()
  if (now >= queueDeadlineOf(call)) {
    await ports.log.change({ events: [endingOfWait(call, now)], ...step })
    return null
  }
  return open([next.started])
}
