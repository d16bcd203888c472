import type { ApiKeyEntry } from '@synchub/auth'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { explainErrors } from '../contract/violation.js'
import { ConfigError } from './config-error.js'
import { CONFIG_SCHEMA } from './config-schema.js'
import type { RequestLimits, StreamConfig, ToolPolicy, TrustLevel } from './hub-config.js'

/** A value of the file, or the environment variable that holds it. */
export type TextOrEnv = string | { readonly env: string; readonly default?: string }

/** The file's own shape, once the schema has checked it and filled in its defaults. */
export interface ConfigFile {
  readonly access: { readonly mode: 'none' | 'keys'; readonly keys: readonly KeyFile[] }
  readonly http: { readonly allowedHosts: readonly string[]; readonly allowedOrigins: readonly string[] }
  readonly limits: RequestLimits
  readonly streams: StreamConfig
  readonly agents: Readonly<Record<string, AgentFile>>
}

/** An API key as the file holds it. */
export type KeyFile = Omit<ApiKeyEntry, 'subject'> & { readonly subject?: string }

/** An agent as the file holds it. */
export interface AgentFile extends Partial<ToolPolicy> {
  readonly url: TextOrEnv
  readonly secret?: TextOrEnv
  readonly trust: TrustLevel
  readonly concurrency: number
  readonly tools: Readonly<Record<string, Partial<ToolPolicy>>>
}

const validate = new Ajv2020({
  useDefaults: true,
  allErrors: false,
  strict: true,
  allowUnionTypes: true,
}).compile<ConfigFile>(CONFIG_SCHEMA)

/**
 * Reads the text of a configuration file.
 * @throws ConfigError when it is no JSON or does not keep {@link CONFIG_SCHEMA}
 */
export function readConfigFile(text: string, file: string): ConfigFile {
  const value = parseJson(text, file)
  if (validate(value)) return value
  const { path, claim } = explainErrors(validate.errors ?? [])
  throw new ConfigError(file, path, claim)
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(file, '', `is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
