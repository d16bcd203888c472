import { type JsonObject, META_KEYS, MODERN_REVISIONS, modernHeadersOf } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'
import { encodeRpcRequest, readRpcResult } from '../rpc/rpc-request.js'

const CLIENT_INFO = { name: '@synchub/client', version: '0.1.0' }

/**
 * Sends one request of MCP (`POST /mcp`, the stateless revision) and gives its result. What agents offer beside tools the hub serves
 * there alone.
 * @throws HubError the response's own error
 */
export async function askMcp(
  connection: HubConnection,
  method: string,
  params: JsonObject,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const meta = {
    [META_KEYS.protocolVersion]: MODERN_REVISIONS[0],
    // What an agent would ask its caller first, a person who reads has no way to answer here.
    [META_KEYS.clientCapabilities]: {},
    [META_KEYS.clientInfo]: CLIENT_INFO,
  }
  const full = { ...params, _meta: meta }
  const headers = modernHeadersOf(method, full)
  const body = encodeRpcRequest(method, full)
  const result = readRpcResult(
    connection.baseUrl,
    await connection.json({ method: 'POST', path: '/mcp', body, headers, signal }),
  )
  if (typeof result === 'object' && result !== null && !Array.isArray(result)) return result as JsonObject
  throw notOurHub(connection.baseUrl, `answered ${method} with something that is no result`)
}
