import type { JsonObject } from '../json-rpc/frame.js'
import { encodeHeaderValue } from './header-value.js'
import { NAMED_BY } from './http-request.js'
import { readModernMeta } from './request.js'

/**
 * The headers that a modern request must carry over HTTP, made of what its body says (MCP 2026-07-28, Streamable HTTP). Those of single
 * parameters need the tool's schema: `paramHeadersOf`.
 * @throws RevisionError when the metadata are missing or have another shape
 */
export function modernHeadersOf(method: string, params: JsonObject): Readonly<Record<string, string>> {
  const parameter = NAMED_BY.get(method)
  const name = parameter === undefined ? undefined : params[parameter]
  return {
    'MCP-Protocol-Version': encodeHeaderValue(readModernMeta(params)),
    'Mcp-Method': encodeHeaderValue(method),
    ...(typeof name === 'string' ? { 'Mcp-Name': encodeHeaderValue(name) } : {}),
  }
}
