import type { AgentConnection, ProcessReach } from '@synchub/core'
import { McpConnection } from '../mcp/mcp-connection.js'
import type { EndLimits } from './child-process.js'
import { ProcessSessions } from './process-sessions.js'
import type { RestartPauseOptions } from './restart-pause.js'

/** How an MCP server is started as a child process, and what is taken from it. */
export interface McpStdioConnectionOptions extends Omit<ProcessReach, 'connector' | 'secrets'> {
  /** Longest time until the server has said who it is, in milliseconds. Default 20,000. */
  readonly startTimeoutMs?: number
  /** Longest wait until a server that does not know the modern revision is greeted as one of the legacy era. Default 5,000. */
  readonly probeTimeoutMs?: number
  /** How long it may answer nothing once somebody has gone without an answer; then it is ended. Default 5,000. */
  readonly hangTimeoutMs?: number
  /** Largest message, in bytes. Default 32 MiB. */
  readonly maxMessageBytes?: number
  /** How the process is ended. By default 1,000 ms after its input has ended TERM, 2,000 ms later KILL. */
  readonly end?: EndLimits
  /** How it is held back when it fails. By default 500 ms, doubling up to 30,000; one that lived 10,000 ms has not failed. */
  readonly restart?: RestartPauseOptions
  /** Told of what is neither an outcome nor an error, in words, for the log. */
  readonly notice?: (reason: string) => void
  /** Told when the server says that its lists have changed; absent where nobody wants to know. */
  readonly onListChange?: () => void
}

/** Connects to an MCP server of either era that is started as a child process when it is first wanted. */
export function createMcpStdioConnection(options: McpStdioConnectionOptions): AgentConnection {
  const notice = options.notice ?? (() => undefined)
  const sessions = new ProcessSessions({
    reach: options,
    startTimeoutMs: options.startTimeoutMs ?? 20_000,
    probeTimeoutMs: options.probeTimeoutMs ?? 5_000,
    maxMessageBytes: options.maxMessageBytes ?? 32 * 1024 ** 2,
    end: options.end ?? { inputGraceMs: 1_000, termGraceMs: 2_000 },
    restart: options.restart ?? { firstPauseMs: 500, longestPauseMs: 30_000, stableAfterMs: 10_000 },
    notice,
    onListChange: options.onListChange,
  })
  const { hangTimeoutMs = 5_000 } = options
  return new McpConnection((signal) => sessions.open(signal), { hangTimeoutMs, notice })
}
