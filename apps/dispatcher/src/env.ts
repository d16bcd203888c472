import { readFileSync } from 'node:fs'
import { ConfigError, type HubConfig, parseConfig } from '@synchub/core'
import { LOG_LEVELS } from '@synchub/telemetry'

/** What the dispatcher's process takes from its environment. */
export interface DispatcherEnvironment {
  readonly config: HubConfig
  readonly redisUrl: string
  /** Prefix of all keys, for installations that share a Redis. */
  readonly redisPrefix: string
  readonly logLevel: string
}

/**
 * Reads the environment: REDIS_URL, REDIS_PREFIX (synchub), SYNCHUB_CONFIG (synchub.config.json), LOG_LEVEL (info), and the variables that the
 * configuration names.
 * @throws ConfigError naming the variable or the file, the place and the expectation
 */
export function readEnvironment(environment: NodeJS.ProcessEnv = process.env): DispatcherEnvironment {
  const file = environment.SYNCHUB_CONFIG ?? 'synchub.config.json'
  const logLevel = environment.LOG_LEVEL ?? 'info'
  if (!(LOG_LEVELS as readonly string[]).includes(logLevel)) {
    throw new ConfigError('environment', 'LOG_LEVEL', `must be one of ${LOG_LEVELS.join(', ')}, is "${logLevel}"`)
  }
  return {
    config: parseConfig({ text: readFile(file), file, environment }),
    redisUrl: environment.REDIS_URL ?? 'redis://127.0.0.1:6379',
    redisPrefix: readPrefix(environment.REDIS_PREFIX),
    logLevel,
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError(file, '', 'cannot be read; name the configuration in SYNCHUB_CONFIG')
  }
}

function readPrefix(text = 'synchub'): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw new ConfigError('environment', 'REDIS_PREFIX', `must be 1 to 64 of A-Z a-z 0-9 _ -, is "${text}"`)
}
