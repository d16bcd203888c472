import { type JsonObject, readSse } from '@synchub/protocol'
import { type PostInit, post, postJson } from './served-agent.js'

/** The revision of the modern era. */
export const MODERN = '2026-07-28'

/** `_meta` that every modern request must carry. */
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
} as const

/** A request of the legacy era. */
export function legacyBody(method: string, params: JsonObject = {}, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** A request of the modern era. */
export function modernBody(method: string, params: JsonObject = {}, id: string | number = 1): string {
  return legacyBody(method, { ...params, _meta: { ...MODERN_META, ...Object(params._meta) } }, id)
}

/** The headers that go with {@link modernBody}. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method,
    Accept: 'application/json, text/event-stream',
    ...(name === undefined ? {} : { 'Mcp-Name': name }),
  }
}

/** Sends a modern request as a client that keeps every rule does. */
export function askModern(url: string, method: string, params: JsonObject = {}) {
  const name = params.name ?? params.uri
  const headers = modernHeaders(method, typeof name === 'string' ? name : undefined)
  return postJson(`${url}/mcp`, modernBody(method, params), { headers })
}

/** Sends a legacy request. */
export function askLegacy(url: string, method: string, params: JsonObject = {}, init: PostInit = {}) {
  return postJson(`${url}/mcp`, legacyBody(method, params), init)
}

/** Posts a request and yields the messages of its stream as they come. */
export async function* streamMessages(url: string, body: string, init: PostInit): AsyncGenerator<JsonObject> {
  const headers = { Accept: 'application/json, text/event-stream', ...init.headers }
  const response = await post(`${url}/mcp`, body, { ...init, headers })
  if (response.body === null) return
  for await (const item of readSse(response.body, 1024 * 1024)) {
    if (item.kind === 'event') yield JSON.parse(item.data)
  }
}
