import { type CallResult, HubError } from '@synchub/protocol'
import { linkAbort } from '../abort/linked-abort.js'
import { isTransient } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { throughOutage } from '../connection/outage.js'
import { exchangeCall } from './call-exchange.js'
import { followCall } from './call-follow.js'
import { type CallOptions, DEFAULT_OUTAGE_TIMEOUT_MS } from './call-options.js'
import { CallProgress } from './call-progress.js'
import { findCall } from './call-record.js'
import { type CallRequest, encodeCall } from './call-request.js'
import { resultOfView } from './outcome.js'

/** The longest look for a call whose answer did not come in time, in ms. */
const LAST_LOOK_TIMEOUT_MS = 1000

/**
 * Calls a tool and waits for its outcome through cut streams, hub restarts and outages. Until the hub is known to have the call,
 * it is sent again with the same idempotency key; from then on it is only asked for.
 */
export async function callTool(
  connection: HubConnection,
  tool: string,
  args: unknown,
  options: CallOptions & { readonly callerAgent?: string | undefined },
): Promise<CallResult> {
  const { signal, timeoutMs, outageTimeoutMs = DEFAULT_OUTAGE_TIMEOUT_MS } = options
  const request = encodeCall(tool, args, options)
  const progress = new CallProgress(options)
  const abort = linkAbort(signal)
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => abort.abort(), timeoutMs)
  try {
    const bounds = { outageTimeoutMs, signal: abort.signal }
    const result = await throughOutage(() => exchangeCall(connection, request, progress, abort.signal), bounds)
    if (result !== 'open') return markReplay(result, progress)
    const { callId = '', traceId = '' } = progress
    const view = await followCall(connection, { callId, traceId }, progress, bounds)
    return markReplay(resultOfView(connection.baseUrl, view, progress.ids), progress)
  } catch (thrown) {
    signal?.throwIfAborted()
    if (abort.signal.aborted) throw await outOfTime(connection, request, progress, timeoutMs ?? 0)
    throw isTransient(thrown) ? nameKey(thrown, request, progress) : thrown
  } finally {
    clearTimeout(timer)
    abort.release()
  }
}

function markReplay(result: CallResult, { isReplayed }: CallProgress): CallResult {
  return isReplayed ? { ...result, _meta: { ...result._meta, replayed: isReplayed } } : result
}

/** The wait ran out. A call whose answer has not begun is looked for by its key, so that the caller learns its id. */
async function outOfTime(
  connection: HubConnection,
  request: CallRequest,
  progress: CallProgress,
  timeoutMs: number,
): Promise<HubError> {
  let lookFailure: unknown
  if (progress.callId === undefined) {
    try {
      progress.learn((await findCall(connection, request, AbortSignal.timeout(LAST_LOOK_TIMEOUT_MS))) ?? {})
    } catch (thrown) {
      lookFailure = thrown
    }
  }
  if (progress.callId !== undefined) {
    return new HubError('DEADLINE_EXCEEDED', `no outcome within ${timeoutMs} ms; the call goes on`, progress.ids)
  }
  const error = new HubError(
    'DEADLINE_EXCEEDED',
    `no answer within ${timeoutMs} ms; the hub may or may not have the call`,
    {
      cause: lookFailure,
    },
  )
  return nameKey(error, request, progress)
}

function nameKey(error: HubError, { idempotencyKey }: CallRequest, progress: CallProgress): HubError {
  const nextStep = `Ask findCall with the idempotency key ${idempotencyKey} for the outcome, or call again with that key: it is never done twice.`
  return error.with({ ...progress.ids, nextStep })
}
