import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOG_LEVELS } from '@synchub/telemetry'
import { z } from 'zod'

const PORT_RULE = 'a port from 0 to 65535, 0 for a free one'
const OWN_CONFIGURATION = fileURLToPath(new URL('../synceta.config.json', import.meta.url))

const ENVIRONMENT = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^[0-9]{1,5}$/, { error: PORT_RULE })
    .transform(Number)
    .refine((port) => port <= 65_535, { error: PORT_RULE })
    .default(4103),
  DATA_DIR: z.string().default('.synchub/synceta'),
  SYNCHUB_AGENT_SECRET: z.string().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  SYNCETA_CONFIG: z.string().default(OWN_CONFIGURATION),
})

/** What SyncETA takes from its environment. */
export interface Env {
  /** `HOST`; default 127.0.0.1. Beyond loopback the agent needs a secret. */
  readonly host: string
  /** `PORT`; default 4103, and 0 takes a free one. */
  readonly port: number
  /** `DATA_DIR`: folder for answers and reports; default `.synchub/synceta` below the working directory. */
  readonly dataDir: string
  /** `SYNCHUB_AGENT_SECRET`: what the hub must send as bearer; default none. */
  readonly secret?: string
  /** `LOG_LEVEL`; default info. */
  readonly logLevel: string
  /** `SYNCETA_CONFIG`: the configuration file; default the one beside this app, which names a suite for SyncHub itself. */
  readonly configurationPath: string
  /** All variables, for those that the configuration names: addresses and keys of targets, and what a command gets to see. */
  readonly variables: Readonly<Record<string, string | undefined>>
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
    throw new Error(`SyncETA cannot start: the environment variable ${issue?.path.join('.')} must be ${issue?.message}`)
  }
  const { HOST: host, PORT: port, LOG_LEVEL: logLevel, SYNCHUB_AGENT_SECRET: secret } = read.data
  return {
    host,
    port,
    dataDir: resolve(read.data.DATA_DIR),
    ...(secret === undefined ? {} : { secret }),
    logLevel,
    configurationPath: resolve(read.data.SYNCETA_CONFIG),
    variables,
  }
}
