import { fromErrorObject, HubError, isJsonObject, type JsonObject } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'

/** Answers pair by id only within their own POST, so one id serves for all. */
const REQUEST_ID = 1

/** Encodes a JSON-RPC request as the body of a `POST /rpc`. */
export function encodeRpcRequest(method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id: REQUEST_ID, method, params })
}

/**
 * The result in a JSON-RPC response.
 * @throws HubError the response's own error; CONTRACT_BROKEN when the body is no JSON-RPC response
 */
export function readRpcResult(baseUrl: string, body: unknown): unknown {
  if (isJsonObject(body) && isJsonObject(body.error)) throw fromErrorObject(body.error)
  if (isJsonObject(body) && body.jsonrpc === '2.0' && Object.hasOwn(body, 'result')) return body.result
  throw notOurHub(baseUrl, 'answered with JSON that is no JSON-RPC response')
}

/** Sends one JSON-RPC request that is answered by JSON at once, and gives its result. */
export async function askRpc(
  connection: HubConnection,
  method: string,
  params: JsonObject,
  signal?: AbortSignal,
): Promise<unknown> {
  const body = await connection.json({ method: 'POST', path: '/rpc', body: encodeRpcRequest(method, params), signal })
  return readRpcResult(connection.baseUrl, body)
}

/** Like {@link askRpc}; null where the hub holds no such object. */
export async function findByRpc(
  connection: HubConnection,
  method: string,
  params: JsonObject,
  signal?: AbortSignal,
): Promise<unknown> {
  try {
    return await askRpc(connection, method, params, signal)
  } catch (thrown) {
    if (thrown instanceof HubError && thrown.code === 'NOT_FOUND') return null
    throw thrown
  }
}
