import { type CallView, HubError, isOpenState, isTerminalEvent, TERMINAL_EVENTS } from '@synchub/protocol'
import { delay } from '../abort/delay.js'
import { backoffDelayMs } from '../connection/backoff.js'
import { isTransient } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { type OutageBounds, throughOutage } from '../connection/outage.js'
import { watchTrace } from '../watch/watch.js'
import type { CallIds } from './call-options.js'
import type { CallProgress } from './call-progress.js'
import { getCall } from './call-record.js'

/** Past this many looks at a call's record the pause between two grows no more: some 2 s. */
const MAX_PAUSE_STEP = 4

/**
 * Waits for the end of a call that the hub has, without ever sending the call again: its record tells the state, the events of
 * its trace tell when to look again.
 * @throws HubError OUTCOME_UNKNOWN when the hub no longer has the call; HUB_UNAVAILABLE after too long an outage
 */
export async function followCall(
  connection: HubConnection,
  call: CallIds,
  progress: CallProgress,
  bounds: OutageBounds,
): Promise<CallView> {
  for (let looks = 1; ; looks++) {
    const view = await throughOutage(() => lookAtCall(connection, call, bounds.signal), bounds)
    if (!isOpenState(view.state)) return view
    if (await sawEnd(connection, call, progress, bounds)) continue
    await delay(backoffDelayMs({ failures: Math.min(looks, MAX_PAUSE_STEP) }), bounds.signal)
    bounds.signal.throwIfAborted()
  }
}

async function lookAtCall(connection: HubConnection, { callId, traceId }: CallIds, signal: AbortSignal) {
  try {
    return await getCall(connection, callId, signal)
  } catch (thrown) {
    if (!(thrown instanceof HubError) || thrown.code !== 'NOT_FOUND') throw thrown
    throw new HubError('OUTCOME_UNKNOWN', `the hub had the call ${callId} and no longer knows it`, {
      callId,
      traceId,
      cause: thrown,
    })
  }
}

/** Watches the call until its end; false when the watch ended without one, so that the record must be asked at a pace. */
async function sawEnd(
  connection: HubConnection,
  { callId, traceId }: CallIds,
  progress: CallProgress,
  { outageTimeoutMs, signal }: OutageBounds,
): Promise<boolean> {
  const events = ['progress', ...TERMINAL_EVENTS] as const
  const watch = watchTrace(connection, traceId, { callId, events, after: progress.cursor, signal, outageTimeoutMs })
  try {
    for await (const item of watch) {
      progress.cursor = item.id
      if (item.kind === 'reset') return false
      if (item.event === 'progress') progress.report(item.data)
      if (isTerminalEvent(item.event)) return true
    }
  } catch (thrown) {
    // Whoever may ask for a call need not be able to watch its trace (two owners may use one traceId): the record will do.
    if (!(thrown instanceof HubError) || isTransient(thrown)) throw thrown
  }
  signal.throwIfAborted()
  return false
}
