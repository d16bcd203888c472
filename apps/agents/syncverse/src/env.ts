import { resolve } from 'node:path'
import { LOG_LEVELS } from '@synchub/telemetry'

/** What SyncVerse takes from its environment. */
export interface Env {
  /** `HOST`; default 127.0.0.1. Beyond loopback the agent needs a secret. */
  readonly host: string
  /** `PORT`; default 4104, and 0 takes a free one. */
  readonly port: number
  /** `DATA_DIR`: folder for answers; default `.synchub/syncverse` below the working directory. */
  readonly dataDir: string
  /** `SYNCHUB_AGENT_SECRET`: what the hub must send as bearer; default none. */
  readonly secret?: string
  /** `LOG_LEVEL`; default info. */
  readonly logLevel: string
  /** `SYNCHUB_URL`: the hub that the steps of a plan go to; default http://127.0.0.1:4000. Never taken from a caller. */
  readonly hubUrl: string
}

/**
 * Reads the environment; an empty variable is one that is not set.
 * @throws Error in one sentence that names the variable
 */
export function readEnv(variables: NodeJS.ProcessEnv = process.env): Env {
  const secret = variables.SYNCHUB_AGENT_SECRET || undefined
  return {
    host: variables.HOST || '127.0.0.1',
    port: readPort(variables.PORT || '4104'),
    dataDir: resolve(variables.DATA_DIR || '.synchub/syncverse'),
    ...(secret === undefined ? {} : { secret }),
    logLevel: readLogLevel(variables.LOG_LEVEL || 'info'),
    hubUrl: readHubUrl(variables.SYNCHUB_URL || 'http://127.0.0.1:4000'),
  }
}

function readPort(text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw unusable('PORT', 'a port from 0 to 65535, 0 for a free one')
}

function readLogLevel(text: string): string {
  if ((LOG_LEVELS as readonly string[]).includes(text)) return text
  throw unusable('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`)
}

function readHubUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && hasAddressAlone(url)) return text
  throw unusable('SYNCHUB_URL', 'the http or https URL of a hub, without credentials, query and fragment')
}

function hasAddressAlone({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === '')
}

/** Says what a variable must be and not what it is: what stands in a wrong one may be a secret. */
function unusable(name: string, expected: string): Error {
  return new Error(`SyncVerse cannot start: the environment variable ${name} must be ${expected}`)
}
