import { type JsonObject, type LogLevel, readLogLevel, readProgressToken, toLogLevel } from '@synchub/protocol'
import type { McpCall } from '../mcp-method.js'

/** What a client wants to be told before the answer. */
export interface NoticeWish {
  /** The client's own name for progress; undefined where it wants none. */
  readonly progressToken: string | number | undefined
  /** From which level on it wants to know what happens to the call; undefined for nothing. */
  readonly logLevel: LogLevel | undefined
}

/**
 * Reads what is to be told; undefined where nothing is, or the client reads no streams.
 * @throws RevisionError for a progress token that is neither text nor number
 */
export function readNoticeWish(params: JsonObject, { era, notices, session }: McpCall): NoticeWish | undefined {
  const progressToken = readProgressToken(params)
  const logLevel = era === 'modern' ? readLogLevel(params) : toLogLevel(session?.logLevel)
  const isWanted = progressToken !== undefined || logLevel !== undefined
  return isWanted && notices.areRead ? { progressToken, logLevel } : undefined
}
