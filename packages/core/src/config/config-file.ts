import type { ApiKeyEntry } from '@synchub/auth'
import { explainErrors } from '@synchub/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ConfigError } from './config-error.js'
import { CONFIG_SCHEMA } from './config-schema.js'
import type {
  Connector,
  DeploymentProfile,
  IdempotencyConfig,
  RequestLimits,
  RetentionConfig,
  StopConfig,
  StreamConfig,
  ToolPolicy,
  TrustLevel,
} from './hub-config.js'
import type { TextOrEnv } from './text-or-env.js'

/** The file's own shape, once the schema has checked it and filled in its defaults. */
export interface ConfigFile {
  readonly access: { readonly mode: 'none' | 'keys'; readonly keys: readonly KeyFile[] }
  readonly http: { readonly allowedHosts: readonly string[]; readonly allowedOrigins: readonly string[] }
  readonly limits: RequestLimits
  readonly idempotency: IdempotencyConfig
  readonly streams: StreamConfig
  readonly retention: RetentionConfig
  readonly stop: StopConfig
  readonly agents: Readonly<Record<string, AgentFile>>
  readonly publicPaths: Readonly<Record<string, PublicPathFile>>
}

/** A public path as the file holds it. */
export interface PublicPathFile {
  readonly name: string
  readonly title?: string
  readonly version: string
  readonly url: TextOrEnv
  readonly secret?: TextOrEnv
  readonly manifest: string
  readonly profile: DeploymentProfile
  readonly fallbackManifest?: string
  readonly refreshMs: number
  readonly timeoutMs: number
  readonly trust: TrustLevel
}

/** An API key as the file holds it. */
export type KeyFile = Omit<ApiKeyEntry, 'subject'> & { readonly subject?: string }

/** What connectors read of an agent; which of it belongs to which is said in `agent-reach.ts`. */
export interface ConnectorSettings {
  readonly url?: TextOrEnv
  readonly secret?: TextOrEnv
  readonly manifest?: string
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, TextOrEnv>>
  readonly cwd?: string
  readonly sha256?: Readonly<Record<string, string>>
}

/** An agent as the file holds it. */
export interface AgentFile extends ConnectorSettings, Partial<ToolPolicy> {
  readonly connector: Connector
  readonly trust: TrustLevel
  readonly concurrency: number
  readonly delegates?: readonly string[]
  readonly tools: Readonly<Record<string, Partial<ToolPolicy>>>
}

const validate = new Ajv2020({
  useDefaults: true,
  allErrors: false,
  strict: true,
  allowUnionTypes: true,
  // It is our own and tested; to check it here too would take 60 ms of every start.
  validateSchema: false,
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
