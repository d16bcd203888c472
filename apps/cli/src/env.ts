/** What the environment sets for the command. */
export interface CliEnv {
  /** Address of the hub (`SYNCHUB_URL`). */
  readonly hubUrl: string
  /** API key (`SYNCHUB_API_KEY`): only from here, since command lines can be read by everybody on the machine. */
  readonly apiKey: string | undefined
  /** Whether colours are unwanted (https://no-color.org). */
  readonly noColor: boolean
  /** Whether the terminal can move its cursor. */
  readonly canRedraw: boolean
}

/** Where the hub is unless something else is said. */
const DEFAULT_HUB_URL = 'http://127.0.0.1:4000'

/** Reads the environment. An empty variable counts as unset. */
export function readEnv(env: NodeJS.ProcessEnv = process.env): CliEnv {
  return {
    hubUrl: env.SYNCHUB_URL || DEFAULT_HUB_URL,
    apiKey: env.SYNCHUB_API_KEY || undefined,
    noColor: (env.NO_COLOR ?? '') !== '',
    canRedraw: env.TERM !== 'dumb',
  }
}
