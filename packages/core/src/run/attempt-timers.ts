import type { Clock } from '../clock.js'
import type { ToolPolicy } from '../config/hub-config.js'
import { type StopSignal, StopSwitch } from '../stop-switch.js'

/** Which limit of an attempt ran out. */
export type AttemptLimit = 'silence' | 'duration'

/** The limits of one attempt, both from its start. */
export interface AttemptTimers {
  /** Aborts when the attempt is cut: nothing more is read of the agent. */
  readonly signal: StopSignal
  /** Aborts when a limit runs out: nobody waits any more, but the agent may still answer. */
  readonly expiry: StopSignal
  /** The limit that ran out; undefined while none did. */
  expired(): AttemptLimit | undefined
  /** The agent works: silence begins anew. */
  touch(): void
  /** Something else than a limit ends the attempt. */
  cut(): void
  stop(): void
}

/** Starts the limits of an attempt. */
export function startAttemptTimers(clock: Clock, policy: ToolPolicy): AttemptTimers {
  const controller = new StopSwitch()
  const expiry = new StopSwitch()
  let limit: AttemptLimit | undefined
  let isStopped = false
  const expire = (which: AttemptLimit) => () => {
    limit ??= which
    expiry.abort()
  }
  const stopDuration = clock.schedule(policy.maxDurationMs, expire('duration'))
  let stopSilence = clock.schedule(policy.silenceTimeoutMs, expire('silence'))
  return {
    signal: controller,
    expiry,
    expired: () => limit,
    touch() {
      // A report that was on its way when the attempt ended must not leave a timer behind.
      if (isStopped) return
      stopSilence()
      stopSilence = clock.schedule(policy.silenceTimeoutMs, expire('silence'))
    },
    cut: () => controller.abort(),
    stop() {
      isStopped = true
      stopDuration()
      stopSilence()
    },
  }
}
