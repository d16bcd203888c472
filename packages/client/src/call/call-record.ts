import { type CallView, ENDED_STATES, isJsonObject, type JsonObject, OPEN_STATES } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { askRpc, findByRpc } from '../rpc/rpc-request.js'

/** Reads the record of a call (`calls/get`). @throws HubError NOT_FOUND */
export async function getCall(connection: HubConnection, callId: string, signal?: AbortSignal): Promise<CallView> {
  return parseView(connection.baseUrl, await askRpc(connection, 'calls/get', { callId }, signal))
}

/** Reads the record of the call that came with an idempotency key; null where the hub has none. */
export async function findCall(
  connection: HubConnection,
  by: { readonly idempotencyKey: string },
  signal?: AbortSignal,
): Promise<CallView | null> {
  const params: JsonObject = { idempotencyKey: by.idempotencyKey }
  const view = await findByRpc(connection, 'calls/get', params, signal)
  return view === null ? null : parseView(connection.baseUrl, view)
}

const STATES: ReadonlySet<unknown> = new Set([...OPEN_STATES, ...ENDED_STATES])

function parseView(baseUrl: string, value: unknown): CallView {
  if (isView(value)) return value
  throw notOurHub(baseUrl, 'answered calls/get with a record that is not whole')
}

function isView(value: unknown): value is CallView {
  if (!isJsonObject(value)) return false
  return typeof value.callId === 'string' && typeof value.traceId === 'string' && STATES.has(value.state)
}
