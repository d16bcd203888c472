import { type JsonRpcErrorObject, toErrorObject } from '../errors/error-object.js'
import type { HubError } from '../errors/hub-error.js'
import type { RequestId } from './frame.js'

/** A JSON-RPC response: a result or an error, never both. The id is null only where none could be read. */
export type JsonRpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId | null; readonly error: JsonRpcErrorObject }

/** The response of a request that succeeded. */
export function resultResponse(id: RequestId, result: unknown): JsonRpcResponse {
  return { jsonrpc: '2.0', id, result }
}

/** The response of a request that failed. `instance` is used where the failure names none. */
export function errorResponse(id: RequestId | null, error: HubError, instance: string): JsonRpcResponse {
  return { jsonrpc: '2.0', id, error: toErrorObject(error, instance) }
}
