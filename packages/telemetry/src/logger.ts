import { type DestinationStream, type Logger, pino } from 'pino'

/** How a process logs. */
export interface LoggerOptions {
  /** Name of the process, on every line. */
  readonly name: string
  /** pino's levels; `info` by default. */
  readonly level?: string
  /** Where lines go; standard output by default. */
  readonly destination?: DestinationStream
}

// Names under which a secret could reach a log line; pino writes [redacted] in their place (invariant 9).
const SECRET_NAMES = ['authorization', 'apiKey', 'secret', 'password', 'accessToken', 'arguments', 'cookie']
const REDACTED = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** Levels that LOG_LEVEL may name. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Makes a logger whose lines are JSON and hold no secret. Lines of a call carry `traceId` and `callId`. */
export function createLogger({ name, level = 'info', destination }: LoggerOptions): Logger {
  const options = { name, level, redact: { paths: REDACTED, censor: '[redacted]' } }
  return destination === undefined ? pino(options) : pino(options, destination)
}
