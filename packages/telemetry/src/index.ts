export type { Logger } from 'pino'
export { createLogger, LOG_LEVELS, type LoggerOptions } from './logger.js'
