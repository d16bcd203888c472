import { isJsonObject, type JsonObject } from '../json-rpc/frame.js'
import { META_KEYS } from './revision.js'

/** Who may keep a result that does not change for a while: everybody, or only the caller it was made for. */
export type CacheScope = 'public' | 'private'

/** Who answers, as `serverInfo` has it. Told by the server itself, so nothing may depend on it. */
export interface ServerInfo {
  readonly name: string
  readonly version: string
  readonly title?: string
}

/** Cache hints of a modern result. @param ttlMs - how long it may be kept, in milliseconds; 0 for not at all */
export function cacheHints(cacheScope: CacheScope, ttlMs: number): JsonObject {
  return { ttlMs, cacheScope }
}

/** A result as the modern revision has it: it says of which kind it is, `complete` by default, and who gave it. */
export function toModernResult(result: JsonObject, serverInfo: ServerInfo): JsonObject {
  const own = isJsonObject(result._meta) ? result._meta : {}
  return { resultType: 'complete', ...result, _meta: { ...own, [META_KEYS.serverInfo]: serverInfo } }
}
