import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConfigError, type HubConfig, parseConfig } from '@synchub/core'
import { LOG_LEVELS } from '@synchub/telemetry'

/** What the hub's process takes from its environment. */
export interface HubEnvironment {
  readonly config: HubConfig
  readonly redisUrl: string
  /** Prefix of all keys, for installations that share a Redis. */
  readonly redisPrefix: string
  readonly host: string
  readonly port: number
  readonly logLevel: string
  /** Folder of the built dashboard. */
  readonly dashboardDir: string
}

/** Where the build of the dashboard puts its pages, seen from the compiled file. */
const DASHBOARD_DIR = fileURLToPath(new URL('../../dashboard/dist/site', import.meta.url))

/**
 * Reads the environment: REDIS_URL, REDIS_PREFIX (synchub), HOST (127.0.0.1), PORT (4000), SYNCHUB_CONFIG (synchub.config.json), LOG_LEVEL (info),
 * SYNCHUB_DASHBOARD_DIR (the build of apps/dashboard), and the variables that the configuration names.
 * @throws ConfigError naming the variable or the file, the place and the expectation
 */
export function readEnvironment(environment: NodeJS.ProcessEnv = process.env): HubEnvironment {
  const file = environment.SYNCHUB_CONFIG ?? 'synchub.config.json'
  return {
    config: parseConfig({ text: readFile(file), file, environment }),
    redisUrl: environment.REDIS_URL ?? 'redis://127.0.0.1:6379',
    redisPrefix: readPrefix(environment.REDIS_PREFIX),
    host: environment.HOST ?? '127.0.0.1',
    port: readPort(environment.PORT),
    logLevel: readLogLevel(environment.LOG_LEVEL),
    dashboardDir: environment.SYNCHUB_DASHBOARD_DIR ?? DASHBOARD_DIR,
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError(file, '', 'cannot be read; name the configuration in SYNCHUB_CONFIG')
  }
}

function readPort(text = '4000'): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new ConfigError('environment', 'PORT', `must be a number from 0 to 65535, is "${text}"`)
}

function readLogLevel(text = 'info'): string {
  if ((LOG_LEVELS as readonly string[]).includes(text)) return text
  throw new ConfigError('environment', 'LOG_LEVEL', `must be one of ${LOG_LEVELS.join(', ')}, is "${text}"`)
}

function readPrefix(text = 'synchub'): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw new ConfigError('environment', 'REDIS_PREFIX', `must be 1 to 64 of A-Z a-z 0-9 _ -, is "${text}"`)
}
