import type { JsonObject } from '@synchub/protocol'
import type { McpMethod } from './mcp-method.js'

/** The parameters of every list. */
export const LIST_PARAMS: JsonObject = { type: 'object', properties: { cursor: { type: 'string' } } }

/**
 * How long a list holds: short, since clients that do not listen for changes learn of them only then. `private`, since what is
 * listed depends on what the caller may use.
 */
export const LIST_CACHE: NonNullable<McpMethod['cache']> = { scope: 'private', ttlMs: 10_000 }
