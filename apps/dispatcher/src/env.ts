import { readFileSync } from 'node:fs'
import { ConfigError, type HubConfig, parseConfig } from '@synchub/core'
import { LOG_LEVELS } from '@synchub/telemetry'

/** What the dispatcher's process takes from its environment. */
export interface DispatcherEnvironment {
  readonly config: HubConfig
  readonly redisUrl: string
  readonly logLevel: string
}

/**
 * Reads the environment: REDIS_URL, SYNCHUB_CONFIG (synchub.config.json), LOG_LEVEL (info), and the variables that the
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
