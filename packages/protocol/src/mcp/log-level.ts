/** Levels of log messages in MCP, the least important first (RFC 5424). */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

/** How important something is. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** A level by its name; undefined for what is none. */
export function toLogLevel(value: unknown): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === value)
}
