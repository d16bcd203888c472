export type { Logger } from 'pino'
export { createLogger, LOG_LEVELS, type LoggerOptions } from './logger.js'
export { systemClock } from './system-clock.js'
