import { ConfigError } from './config-error.js'
import { type AgentFile, type ConfigFile, readConfigFile, type TextOrEnv } from './config-file.js'
import { unknownScopes } from './config-schema.js'
import type { AccessConfig, AgentConfig, HubConfig, ToolPolicy } from './hub-config.js'

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
export function parseConfig(source: ConfigSource): HubConfig {
  const { access, http, limits, streams, agents } = readConfigFile(source.text, source.file)
  if (limits.defaultWaitMs > limits.maxWaitMs) {
    throw new ConfigError(
      source.file,
      'limits.defaultWaitMs',
      `must be <= ${limits.maxWaitMs}, which is limits.maxWaitMs`,
    )
  }
  return {
    access: toAccess(access, source.file),
    allowedHosts: [...LOOPBACK_HOSTS, ...http.allowedHosts],
    allowedOrigins: http.allowedOrigins,
    limits,
    streams,
    agents: new Map(Object.entries(agents).map(([name, agent]) => [name, toAgent(name, agent, source)])),
  }
}

function toAgent(name: string, agent: AgentFile, source: ConfigSource): AgentConfig {
  const { url, secret, trust, concurrency, tools, ...ownPolicy } = agent
  const policy = { ...DEFAULT_POLICY, ...ownPolicy }
  return {
    name,
    url: readUrl(url, `agents.${name}.url`, source),
    ...(secret === undefined ? {} : { secret: readSecret(secret, `agents.${name}.secret`, source) }),
    trust,
    concurrency,
    policy,
    tools: new Map(Object.entries(tools).map(([tool, own]) => [tool, { ...policy, ...own }])),
  }
}

function readUrl(value: TextOrEnv, path: string, source: ConfigSource): string {
  const text = readText(value, path, source)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(source.file, path, `must be an http or https URL${originOf(value)}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(source.file, path, `must hold no user and no password${originOf(value)}; use "secret"`)
  }
  return text
}

/** It becomes an HTTP header, and a line break in one would fail each call instead of the start. */
function readSecret(value: TextOrEnv, path: string, source: ConfigSource): string {
  const text = readText(value, path, source)
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new ConfigError(source.file, path, `must be visible ASCII characters without blanks${originOf(value)}`)
}

function readText(value: TextOrEnv, path: string, { file, environment }: ConfigSource): string {
  if (typeof value === 'string') return value
  // Shells and compose files make an empty variable of one that nobody has set.
  const text = environment[value.env] || value.default
  if (text !== undefined) return text
  throw new ConfigError(file, path, `takes its value from the environment variable ${value.env}, which is not set`)
}

/** The value itself may be a secret, so messages only say where it came from. */
function originOf(value: TextOrEnv): string {
  return typeof value === 'string' ? '' : ` (the environment variable ${value.env} or its default)`
}

function toAccess({ mode, keys }: ConfigFile['access'], file: string): AccessConfig {
  if (mode === 'none') return { mode: 'none' }
  if (keys.length === 0) throw new ConfigError(file, 'access.keys', 'must hold at least one key in mode "keys"')
  for (const [index, { scopes, sha256 }] of keys.entries()) {
    const [unknown] = unknownScopes(scopes)
    if (unknown !== undefined) {
      throw new ConfigError(file, `access.keys.${index}.scopes`, `names the scope "${unknown}", which does not exist`)
    }
    const first = keys.findIndex((key) => key.sha256 === sha256)
    if (first < index) {
      throw new ConfigError(file, `access.keys.${index}.sha256`, `is the key of access.keys.${first} again`)
    }
  }
  return { mode: 'keys', keys: keys.map((key) => ({ ...key, subject: key.subject ?? key.agent })) }
}
