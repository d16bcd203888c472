import { type DestinationStream, type Logger, pino } from 'pino'
import { redactLine } from './redaction.js'

/** How a process logs. */
export interface LoggerOptions {
  /** Name of the process, on every line. */
  readonly name: string
  /** pino's levels; `info` by default. */
  readonly level?: string
  /** Where lines go; standard output by default. */
  readonly destination?: DestinationStream
}

/** Levels that LOG_LEVEL may name. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Makes a logger whose lines are JSON and hold no secret. Lines of a call carry `traceId` and `callId`. */
export function createLogger({ name, level = 'info', destination }: LoggerOptions): Logger {
  const options = { name, level, hooks: { streamWrite: redactLine } }
  // Not synchronous, as pino's own standard output is: a system call for each line would stop all calls that are under way.
  return pino(options, destination ?? pino.destination({ dest: 1, sync: false }))
}
