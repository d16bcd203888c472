import { type CallResult, HubError } from '@synchub/protocol'
import { linkAbort } from '../abort/linked-abort.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { followCall } from './call-follow.js'
import { type CallIds, type CallOptions, DEFAULT_OUTAGE_TIMEOUT_MS } from './call-options.js'
import { CallProgress } from './call-progress.js'
import { resultOfView } from './outcome.js'

/** Options of `wait`. */
export type WaitOptions = Pick<CallOptions, 'timeoutMs' | 'signal' | 'outageTimeoutMs' | 'onProgress'>

/** Waits for the outcome of a call that the hub has. */
export async function waitForCall(
  connection: HubConnection,
  { callId, traceId }: CallIds,
  options: WaitOptions = {},
): Promise<CallResult> {
  const { signal, timeoutMs, onProgress, outageTimeoutMs = DEFAULT_OUTAGE_TIMEOUT_MS } = options
  const progress = new CallProgress({ onProgress })
  const abort = linkAbort(signal)
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => abort.abort(), timeoutMs)
  try {
    const bounds = { outageTimeoutMs, signal: abort.signal }
    return resultOfView(connection.baseUrl, await followCall(connection, { callId, traceId }, progress, bounds))
  } catch (thrown) {
    signal?.throwIfAborted()
    if (!abort.signal.aborted) throw thrown
    const reason = `no outcome within ${timeoutMs} ms; the call goes on`
    throw new HubError('DEADLINE_EXCEEDED', reason, { callId, traceId })
  } finally {
    clearTimeout(timer)
    abort.release()
  }
}
