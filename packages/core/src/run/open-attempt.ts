import { HubError } from '@synchub/protocol'
import { endingOfError } from '../completion/ending.js'
import { policyOf } from '../config/hub-config.js'
import type { OpenedCall } from '../delegation/run-access.js'
import { nextAttempt } from './next-attempt.js'
import { endingOfWait, queueDeadlineOf } from './queue-wait.js'
import type { RunPorts } from './run-ports.js'

/**
 * Opens the next attempt of a queued call that a dispatcher was given. A call found `running` was held by a process that died:
 * it goes on only where a repeat is safe, else its outcome is unknown (invariant 7).
 * @returns the record with the attempt open, or null when there is nothing to run
 */
export async function openAttempt(callId: string, ports: RunPorts): Promise<OpenedCall | null> {
  const call = await ports.log.find(callId)
  if (call === null || (call.state !== 'queued' && call.state !== 'running')) return null
  const { trace } = call
  const next = nextAttempt(call, ports)
  // Naming the attempt that we saw fences two dispatchers that were given the same call.
  const step = { call, attempt: call.attempt }
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
    const outcome = await ports.log.change({ events: [retrying, next.started], ...step, ...next.opening })
    return outcome.kind === 'changed' ? next.open() : null
  }
  // The first dispatcher after a long outage may come before the sweep.
  const now = ports.clock.now()
  if (now >= queueDeadlineOf(call)) {
    await ports.log.change({ events: [endingOfWait(call, now)], ...step })
    return null
  }
  const outcome = await ports.log.change({ events: [next.started], ...step, ...next.opening })
  return outcome.kind === 'changed' ? next.open() : null
}
