import { resolve } from 'node:path'
import { LOG_LEVELS } from '@synchub/telemetry'
import { z } from 'zod'

const PORT_RULE = 'a port from 0 to 65535, 0 for a free one'
const URL_RULE = 'the http or https URL of a hub, without credentials, query and fragment'

const ENVIRONMENT = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^[0-9]{1,5}$/, { error: PORT_RULE })
    .transform(Number)
    .refine((port) => port <= 65_535, { error: PORT_RULE })
    .default(4104),
  DATA_DIR: z.string().default('.synchub/syncverse'),
  SYNCHUB_AGENT_SECRET: z.string().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  SYNCHUB_URL: z.string().refine(isHubUrl, { error: URL_RULE }).default('http://127.0.0.1:4000'),
})

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
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const read = ENVIRONMENT.safeParse(set)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new Error(
      `SyncVerse cannot start: the environment variable ${issue?.path.join('.')} must be ${issue?.message}`,
    )
  }
  const { HOST: host, PORT: port, LOG_LEVEL: logLevel, SYNCHUB_AGENT_SECRET: secret } = read.data
  return {
    host,
    port,
    dataDir: resolve(read.data.DATA_DIR),
    ...(secret === undefined ? {} : { secret }),
    logLevel,
    hubUrl: read.data.SYNCHUB_URL,
  }
}

function isHubUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false
  return [url.username, url.password, url.search, url.hash].every((part) => part === '')
}
