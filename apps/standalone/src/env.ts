import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOG_LEVELS } from '@synchub/telemetry'
import { StartError } from './start-error.js'

/** What `npm start` takes from its environment. */
export interface StartEnvironment {
  /** `HOST`, 127.0.0.1 by default. */
  readonly host: string
  /** `PORT`, 4000 by default; 0 takes a free one. */
  readonly port: number
  /** `REDIS_URL`; a Redis of our own where it is not set. */
  readonly redisUrl: string | undefined
  /** `SYNCHUB_CONFIG`, `infra/synchub.config.json` by default. */
  readonly configFile: string
  /** `SYNCHUB_DATA_DIR`, `.synchub` in the project's folder by default: traces, agents' data and logs. */
  readonly dataDir: string
  /** `LOG_LEVEL`, info by default; logs go to files, so that the terminal stays readable. */
  readonly logLevel: string
  /** All variables, for those that the configuration names and for the agents. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** The project's folder. */
export const PROJECT_DIR = fileURLToPath(new URL('../../..', import.meta.url))

/** Reads the environment. @throws StartError naming the variable and what it may be */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): StartEnvironment {
  return {
    host: variables.HOST || '127.0.0.1',
    port: readPort(variables.PORT || '4000'),
    redisUrl: variables.REDIS_URL || undefined,
    configFile: variables.SYNCHUB_CONFIG || join(PROJECT_DIR, 'infra', 'synchub.config.json'),
    dataDir: variables.SYNCHUB_DATA_DIR || join(PROJECT_DIR, '.synchub'),
    logLevel: readLogLevel(variables.LOG_LEVEL || 'info'),
    variables,
  }
}

function readLogLevel(text: string): string {
  if ((LOG_LEVELS as readonly string[]).includes(text)) return text
  throw new StartError(`Environment: LOG_LEVEL is "${text}".`, `Set it to one of ${LOG_LEVELS.join(', ')}.`)
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new StartError(`Environment: PORT is "${text}".`, 'Set it to a number from 0 to 65535; 0 takes a free port.')
}
