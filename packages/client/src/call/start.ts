import { isJsonObject, type Links } from '@synchub/protocol'
import { linkAbort } from '../abort/linked-abort.js'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { throughOutage } from '../connection/outage.js'
import { readRpcResult } from '../rpc/rpc-request.js'
import { type CallIdentity, type CallIds, DEFAULT_OUTAGE_TIMEOUT_MS } from './call-options.js'
import { type CallRequest, encodeCall } from './call-request.js'

/** A call that the hub has recorded and works on without anybody waiting. */
export interface StartedCall extends CallIds {
  /** The key that it was sent with: `findCall` finds it by that. */
  readonly idempotencyKey: string
  /** True where an earlier request with this key, which the caller has chosen, had begun it. */
  readonly replayed?: true
  /** Where to look for it, as paths of the hub. */
  readonly links: Links
}

/** Starts a call and returns once the hub has it (`Prefer: respond-async`, RFC 7240). */
export async function startCall(
  connection: HubConnection,
  tool: string,
  args: unknown,
  options: CallIdentity & { readonly callerAgent?: string | undefined },
): Promise<StartedCall> {
  const { signal, outageTimeoutMs = DEFAULT_OUTAGE_TIMEOUT_MS } = options
  const request = encodeCall(tool, args, options)
  const abort = linkAbort(signal)
  try {
    return await throughOutage(() => postStart(connection, request, abort.signal), {
      outageTimeoutMs,
      signal: abort.signal,
    })
  } finally {
    abort.release()
  }
}

async function postStart(
  connection: HubConnection,
  { body, idempotencyKey, isOwnKey }: CallRequest,
  signal: AbortSignal,
): Promise<StartedCall> {
  const headers = { prefer: 'respond-async' }
  const answer = await connection.json({ method: 'POST', path: '/rpc', headers, body, signal })
  const result = readRpcResult(connection.baseUrl, answer)
  const meta = isJsonObject(result) && isJsonObject(result._meta) ? result._meta : {}
  if (!isJsonObject(result) || typeof meta.callId !== 'string' || typeof meta.traceId !== 'string') {
    throw notOurHub(connection.baseUrl, 'answered a call without its callId and traceId')
  }
  const links = isJsonObject(result.links) ? (result.links as Links) : {}
  const replay: Pick<StartedCall, 'replayed'> = isOwnKey && meta.replayed === true ? { replayed: true } : {}
  return { callId: meta.callId, traceId: meta.traceId, idempotencyKey, ...replay, links }
}
