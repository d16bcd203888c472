import type { HubConnection } from '@synchub/client'
import {
  isJsonObject,
  type JsonObject,
  META_KEYS,
  modernHeadersOf,
  type ParamHeader,
  ParamHeaderError,
  paramHeadersOf,
  readParamHeaders,
} from '@synchub/protocol'
import { postMessage } from './hub-request.js'

const MAX_PAGES = 100
const LISTING = 'synchub-bridge-listing'
const METADATA = [META_KEYS.protocolVersion, META_KEYS.clientCapabilities, META_KEYS.clientInfo] as const

/**
 * Parameters that tools want in headers too (`x-mcp-header`). On lines there are none, so their client does not know of them; few tools
 * have any, so the hub's list is asked only once it has refused a call for a header that is missing or old.
 */
export class ToolHeaders {
  readonly #connection: HubConnection
  #known = new Map<string, readonly ParamHeader[]>()

  constructor(connection: HubConnection) {
    this.#connection = connection
  }

  /** The headers of a call, as far as its tool is known. */
  of(params: JsonObject): Readonly<Record<string, string>> {
    const declared = this.#known.get(String(params.name)) ?? []
    return paramHeadersOf(declared, isJsonObject(params.arguments) ? params.arguments : {})
  }

  /**
   * Reads the hub's tools as the client of this call would.
   * @throws HubError when the hub cannot be reached
   */
  async learn(params: JsonObject, signal: AbortSignal): Promise<void> {
    const given = isJsonObject(params._meta) ? params._meta : {}
    const meta = Object.fromEntries(METADATA.map((key) => [key, given[key]]))
    const known = new Map<string, readonly ParamHeader[]>()
    let cursor: unknown
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = { ...(typeof cursor === 'string' ? { cursor } : {}), _meta: meta }
      const body = JSON.stringify({ jsonrpc: '2.0', id: LISTING, method: 'tools/list', params: page })
      const answer = await postMessage(this.#connection, body, modernHeadersOf('tools/list', page), signal)
      const response = await this.#connection.jsonOf(answer)
      const result = isJsonObject(response) && isJsonObject(response.result) ? response.result : {}
      for (const tool of Array.isArray(result.tools) ? result.tools : []) note(known, tool)
      cursor = result.nextCursor
      if (typeof cursor !== 'string') break
    }
    this.#known = known
  }
}

/** A tool whose declarations are wrong has none that could be kept. */
function note(known: Map<string, readonly ParamHeader[]>, tool: unknown): void {
  if (!isJsonObject(tool) || typeof tool.name !== 'string' || !isJsonObject(tool.inputSchema)) return
  try {
    known.set(tool.name, readParamHeaders(tool.inputSchema))
  } catch (thrown) {
    if (!(thrown instanceof ParamHeaderError)) throw thrown
  }
}
