export type { Logger } from 'pino'
export { createFileLogger, type FileLoggerOptions } from './file-logger.js'
export { createLogger, LOG_LEVELS, type LoggerOptions } from './logger.js'
export { systemClock } from './system-clock.js'
