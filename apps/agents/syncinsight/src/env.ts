import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOG_LEVELS } from '@synchub/telemetry'

/** What SyncInsight takes from its environment. */
export interface Env {
  /** `HOST`; default 127.0.0.1. Beyond loopback the agent needs a secret. */
  readonly host: string
  /** `PORT`; default 4102, and 0 takes a free one. */
  readonly port: number
  /** `DATA_DIR`: folder for answers and reports; default `.synchub/syncinsight` below the working directory. */
  readonly dataDir: string
  /** `SYNCHUB_AGENT_SECRET`: what the hub must send as bearer; default none. */
  readonly secret?: string
  /** `LOG_LEVEL`; default info. */
  readonly logLevel: string
  /** `SYNCINSIGHT_CONFIG`: the configuration file; default the one beside this app, which names this repository's own documents. */
  readonly configurationPath: string
}

/** A variable of the environment that cannot be used. */
class EnvError extends Error {
  override readonly name = 'EnvError'
}

const OWN_CONFIGURATION = fileURLToPath(new URL('../syncinsight.config.json', import.meta.url))

/**
 * Reads the environment.
 * @throws EnvError naming the variable and what it may be
 */
export function readEnv(env: NodeJS.ProcessEnv = process.env): Env {
  const secret = readText(env, 'SYNCHUB_AGENT_SECRET')
  return {
    host: readText(env, 'HOST') ?? '127.0.0.1',
    port: readPort(env),
    dataDir: resolve(readText(env, 'DATA_DIR') ?? '.synchub/syncinsight'),
    ...(secret === undefined ? {} : { secret }),
    logLevel: readLogLevel(env),
    configurationPath: resolve(readText(env, 'SYNCINSIGHT_CONFIG') ?? OWN_CONFIGURATION),
  }
}

/**
 * Reads the API key that the configuration names by its variable (`summary.apiKeyEnv`).
 * @throws EnvError when it is not set: a report without the summary that was configured would come as a surprise later
 */
export function readApiKey(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const key = readText(env, name)
  if (key === undefined)
    throw new EnvError(
      `${name} is not set: summary.apiKeyEnv of the configuration names it; set it or remove that member`,
    )
  return key
}

function readText(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function readPort(env: NodeJS.ProcessEnv): number {
  const text = readText(env, 'PORT') ?? '4102'
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new EnvError(`PORT is ${JSON.stringify(text)}, but must be a port from 0 to 65535`)
  return port
}

function readLogLevel(env: NodeJS.ProcessEnv): string {
  const level = readText(env, 'LOG_LEVEL') ?? 'info'
  if ((LOG_LEVELS as readonly string[]).includes(level)) return level
  throw new EnvError(`LOG_LEVEL is ${JSON.stringify(level)}, but must be one of ${LOG_LEVELS.join(', ')}`)
}
