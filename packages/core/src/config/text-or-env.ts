import { ConfigError } from './config-error.js'

/** A value of the file, or the environment variable that holds it. */
export type TextOrEnv = string | { readonly env: string; readonly default?: string }

/** Where a configuration comes from: what {@link readText} looks values up in, and what its errors name. */
export interface TextSource {
  /** Name of the file, for messages. */
  readonly file: string
  /** Values of the environment variables that the file may name. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * The text that the file holds at `path`, or names.
 * @throws ConfigError when its variable is not set
 */
export function readText(value: TextOrEnv, path: string, { file, environment }: TextSource): string {
  if (typeof value === 'string') return value
  // Shells and compose files make an empty variable of one that nobody has set.
  const text = environment[value.env] || value.default
  if (text !== undefined) return text
  throw new ConfigError(
    file,
    path,
    `takes its value from the environment variable ${value.env}, which is not set: set it`,
  )
}

/** The value itself may be a secret, so messages only say where it came from. */
export function originOf(value: TextOrEnv): string {
  return typeof value === 'string' ? '' : ` (the environment variable ${value.env} or its default)`
}
