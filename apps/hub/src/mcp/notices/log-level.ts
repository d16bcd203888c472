import { type EventName, isJsonObject, type JsonObject, META_KEYS } from '@synchub/protocol'

/** Levels of log messages in MCP, the least important first (RFC 5424). */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

/** How important something is. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The level at which each event of a call is told; progress has notifications of its own. */
const LEVEL_OF: Readonly<Record<EventName, LogLevel>> = {
  received: 'debug',
  accepted: 'debug',
  started: 'info',
  progress: 'debug',
  retrying: 'warning',
  handed_back: 'notice',
  input_requested: 'info',
  input_received: 'info',
  complete: 'info',
  failed: 'error',
  refused: 'error',
  cancelled: 'notice',
  unknown: 'error',
}

/** The level of an event, where a client that listens from `level` on wants to know of it. */
export function levelOfEvent(event: EventName, level: LogLevel): LogLevel | undefined {
  const own = LEVEL_OF[event]
  return LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level) ? undefined : own
}

/** The level that a modern request asks for; without one nothing is logged. */
export function readLogLevel({ _meta: meta }: JsonObject): LogLevel | undefined {
  return toLogLevel(isJsonObject(meta) ? meta[META_KEYS.logLevel] : undefined)
}

/** A level by its name; undefined for what is none. */
export function toLogLevel(value: unknown): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === value)
}
