import type { ApiKeyEntry } from '@synchub/auth'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CONFIG_SCHEMA, unknownScopes } from './config-schema.js'
import type {
  AccessConfig,
  AgentConfig,
  HubConfig,
  RequestLimits,
  StreamConfig,
  ToolPolicy,
  TrustLevel,
} from './hub-config.js'

/** A configuration that cannot be used: names the file, the place in it and what was expected there. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(file: string, path: string, expectation: string) {
    super(`${file}: ${path === '' ? 'the file' : path} ${expectation}`)
  }
}

type TextOrEnv = string | { readonly env: string; readonly default?: string }

/** The file's own shape, once the schema has checked it and filled in its defaults. */
interface ConfigFile {
  readonly access: { readonly mode: 'none' | 'keys'; readonly keys: readonly KeyFile[] }
  readonly http: { readonly allowedHosts: readonly string[]; readonly allowedOrigins: readonly string[] }
  readonly limits: RequestLimits
  readonly streams: StreamConfig
  readonly agents: Readonly<Record<string, AgentFile>>
}

type KeyFile = Omit<ApiKeyEntry, 'subject'> & { readonly subject?: string }

interface AgentFile extends Partial<ToolPolicy> {
  readonly url: TextOrEnv
  readonly secret?: TextOrEnv
  readonly trust: TrustLevel
  readonly concurrency: number
  readonly tools: Readonly<Record<string, Partial<ToolPolicy>>>
}

const DEFAULT_POLICY: ToolPolicy = {
  mode: 'queued',
  silenceTimeoutMs: 60_000,
  maxDurationMs: 3_600_000,
  queueWaitMs: 600_000,
  safeToRepeat: false,
  maxAttempts: 3,
  retryDelayMs: 1000,
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

const validate = new Ajv2020({
  useDefaults: true,
  allErrors: false,
  strict: true,
  allowUnionTypes: true,
}).compile<ConfigFile>(CONFIG_SCHEMA)

/** What {@link parseConfig} reads. */
export interface ConfigSource {
  /** Content of the file. */
  readonly text: string
  /** Its name, for messages. */
  readonly file: string
  /** Values of the environment variables that the file may name. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Checks a `synchub.config.json` and fills in its defaults.
 * @throws ConfigError naming file, place and expectation
 */
export function parseConfig({ text, file, environment }: ConfigSource): HubConfig {
  const value = parseJson(text, file)
  if (!validate(value)) {
    const [error] = validate.errors ?? []
    const path = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
    const extra = error?.params.additionalProperty ?? error?.params.propertyName
    const allowed = error?.params.allowedValues
    const expectation = `${error?.message ?? 'is not valid'}${extra === undefined ? '' : `: "${extra}"`}${allowed === undefined ? '' : `: ${allowed.join(', ')}`}`
    throw new ConfigError(file, path, expectation)
  }
  const read = (source: TextOrEnv, path: string) => readText(source, path, file, environment)
  const agents = Object.entries(value.agents).map(([name, agent]) => toAgent(name, agent, read))
  for (const { name, url } of agents) {
    if (!URL.canParse(url)) throw new ConfigError(file, `agents.${name}.url`, `must be an http URL, is "${url}"`)
  }
  return {
    access: toAccess(value.access, file),
    allowedHosts: [...LOOPBACK_HOSTS, ...value.http.allowedHosts],
    allowedOrigins: value.http.allowedOrigins,
    limits: value.limits,
    streams: value.streams,
    agents: new Map(agents.map((agent) => [agent.name, agent])),
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(file, '', `is not JSON: ${cause instanceof SyntaxError ? cause.message : String(cause)}`)
  }
}

function readText(source: TextOrEnv, path: string, file: string, environment: ConfigSource['environment']): string {
  if (typeof source === 'string') return source
  const text = environment[source.env] ?? source.default
  if (text === undefined) {
    throw new ConfigError(file, path, `takes its value from the environment variable ${source.env}, which is not set`)
  }
  return text
}

function toAgent(name: string, agent: AgentFile, read: (source: TextOrEnv, path: string) => string): AgentConfig {
  const policy = { ...DEFAULT_POLICY, ...pickPolicy(agent) }
  return {
    name,
    url: read(agent.url, `agents.${name}.url`),
    ...(agent.secret === undefined ? {} : { secret: read(agent.secret, `agents.${name}.secret`) }),
    trust: agent.trust,
    concurrency: agent.concurrency,
    policy,
    tools: new Map(Object.entries(agent.tools).map(([tool, own]) => [tool, { ...policy, ...own }])),
  }
}

function pickPolicy(agent: AgentFile): Partial<ToolPolicy> {
  const { url: _url, secret: _secret, trust: _trust, concurrency: _concurrency, tools: _tools, ...policy } = agent
  return policy
}

function toAccess(access: ConfigFile['access'], file: string): AccessConfig {
  if (access.mode === 'none') return { mode: 'none' }
  if (access.keys.length === 0) throw new ConfigError(file, 'access.keys', 'must hold at least one key in mode "keys"')
  access.keys.forEach(({ scopes }, index) => {
    const [unknown] = unknownScopes(scopes)
    if (unknown !== undefined) {
      throw new ConfigError(file, `access.keys.${index}.scopes`, `names the scope "${unknown}", which does not exist`)
    }
  })
  return { mode: 'keys', keys: access.keys.map((key) => ({ ...key, subject: key.subject ?? key.agent })) }
}
