import { isJsonObject, type Links } from '@synchub/protocol'
import { linkAbort } from '../abort/linked-abort.js'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { throughOutage } from '../connection/outage.js'
import { encodeSegment } from '../connection/path.js'
import { type CallIdentity, DEFAULT_OUTAGE_TIMEOUT_MS } from './call-options.js'
import { createIdempotencyKey } from './call-request.js'
import type { StartedCall } from './start.js'

/** Options of `rerun`. */
export type RerunOptions = Pick<CallIdentity, 'traceId' | 'idempotencyKey' | 'signal' | 'outageTimeoutMs'>

/** Runs a call again (`POST /calls/{id}/rerun`) and returns once the hub has the new one. It is sent again with one key. */
export async function rerunCall(
  connection: HubConnection,
  callId: string,
  options: RerunOptions & { readonly callerAgent?: string | undefined },
): Promise<StartedCall> {
  const { traceId, callerAgent, signal, outageTimeoutMs = DEFAULT_OUTAGE_TIMEOUT_MS } = options
  const idempotencyKey = options.idempotencyKey ?? createIdempotencyKey()
  const path = `/calls/${encodeSegment('callId', callId)}/rerun`
  const body = JSON.stringify({ traceId, callerAgent, idempotencyKey })
  const abort = linkAbort(signal)
  try {
    const bounds = { outageTimeoutMs, signal: abort.signal }
    const answer = await throughOutage(
      () => connection.json({ method: 'POST', path, body, signal: abort.signal }),
      bounds,
    )
    if (!isJsonObject(answer) || typeof answer.callId !== 'string' || typeof answer.traceId !== 'string') {
      throw notOurHub(connection.baseUrl, 'answered a rerun without the callId and traceId of the new call')
    }
    const links = isJsonObject(answer.links) ? (answer.links as Links) : {}
    const isReplayed = options.idempotencyKey !== undefined && answer.replayed === true
    const replayed = isReplayed ? { replayed: isReplayed } : {}
    return { callId: answer.callId, traceId: answer.traceId, idempotencyKey, ...replayed, links }
  } finally {
    abort.release()
  }
}
