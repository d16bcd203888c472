import { type JsonObject, readProgressToken } from '@synchub/protocol'
import type { McpNotices } from './mcp-method.js'

/** Progress is wanted, under the caller's own name for it. */
export interface ProgressWish {
  readonly progressToken: string | number
}

/**
 * Reads whether a request wants progress, and can be told any.
 * @throws RevisionError for a token that is neither text nor number
 */
export function readProgressWish(params: JsonObject, { areRead }: McpNotices): ProgressWish | undefined {
  const progressToken = readProgressToken(params)
  return progressToken === undefined || !areRead ? undefined : { progressToken }
}
