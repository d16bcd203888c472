import { type Logger, pino } from 'pino'
import { createLogger } from './logger.js'

/** How a process logs into a file. */
export interface FileLoggerOptions {
  readonly name: string
  readonly level: string
  /** Appended to; its folder must exist. */
  readonly file: string
}

/** A logger whose lines go into a file, for a process whose terminal belongs to a person. */
export function createFileLogger({ name, level, file }: FileLoggerOptions): Logger {
  return createLogger({ name, level, destination: pino.destination({ dest: file, append: true, sync: false }) })
}
