import type { CallMode } from '@synchub/protocol'
import { ConfigError } from './config-error.js'
import type { AgentFile, ConnectorSettings } from './config-file.js'
import type { AgentReach, Connector } from './hub-config.js'
import { originOf, readText, type TextOrEnv, type TextSource } from './text-or-env.js'

/** What each connector reads; everything else of these settings would be ignored, so it is refused. */
const SETTINGS_OF: Readonly<Record<Connector, readonly (keyof ConnectorSettings)[]>> = {
  native: ['url', 'secret'],
  'mcp-http': ['url', 'secret'],
  'tool-service': ['url', 'secret', 'manifest'],
  'mcp-stdio': ['command', 'args', 'env', 'cwd', 'sha256'],
}

const ALL_SETTINGS = [...new Set(Object.values(SETTINGS_OF).flat())]

/** What a child process gets of our own environment: enough to find programs and to write text, and no secret. */
export const INHERITED_VARIABLES: readonly string[] = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR']

/**
 * Reads how an agent is reached, for its connector.
 * @param place - where it stands in the file: `agents.SyncBoot`
 * @throws ConfigError naming the place
 */
export function readReach(place: string, agent: AgentFile, source: TextSource): AgentReach {
  refuseForeignSettings(agent, place, source)
  const { connector, url, secret, manifest, command } = agent
  if (connector === 'mcp-stdio') {
    refuseDirectMode(agent, place, source)
    return {
      connector,
      command: required(command, `${place}.command`, source),
      args: agent.args ?? [],
      environment: readEnvironment(agent.env ?? {}, `${place}.env`, source),
      secrets: readHidden(agent.env ?? {}, source),
      sha256: new Map(Object.entries(agent.sha256 ?? {})),
      ...(agent.cwd === undefined ? {} : { cwd: agent.cwd }),
    }
  }
  const reach = readEndpoint(place, required(url, `${place}.url`, source), secret, source)
  if (connector !== 'tool-service') return { connector, ...reach }
  return { connector, ...reach, manifest: required(manifest, `${place}.manifest`, source) }
}

/**
 * Reads where something is reached over HTTP, and with which secret.
 * @throws ConfigError naming the place
 */
export function readEndpoint(
  place: string,
  url: TextOrEnv,
  secret: TextOrEnv | undefined,
  source: TextSource,
): { readonly url: string; readonly secret?: string } {
  return {
    url: readUrl(url, `${place}.url`, source),
    ...(secret === undefined ? {} : { secret: readSecret(secret, `${place}.secret`, source) }),
  }
}

function refuseForeignSettings(agent: AgentFile, place: string, { file }: TextSource): void {
  const own = SETTINGS_OF[agent.connector]
  const foreign = ALL_SETTINGS.find((setting) => agent[setting] !== undefined && !own.includes(setting))
  if (foreign === undefined) return
  throw new ConfigError(file, `${place}.${foreign}`, `is no setting of the connector "${agent.connector}"`)
}

/** Direct calls are made by the hub, and a hub starts no processes. */
function refuseDirectMode({ mode, tools }: AgentFile, place: string, { file }: TextSource): void {
  const modes: readonly (readonly [string, CallMode | undefined])[] = [
    [`${place}.mode`, mode],
    ...Object.entries(tools).map(([tool, own]) => [`${place}.tools.${tool}.mode`, own.mode] as const),
  ]
  const direct = modes.find(([, own]) => own === 'direct')
  if (direct === undefined) return
  throw new ConfigError(
    file,
    direct[0],
    'must be "queued": an agent of the connector "mcp-stdio" is a child process of a dispatcher',
  )
}

function required<T>(value: T | undefined, path: string, { file }: TextSource): T {
  if (value === undefined) throw new ConfigError(file, path, 'is required')
  return value
}

function readUrl(value: TextOrEnv, path: string, source: TextSource): string {
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
function readSecret(value: TextOrEnv, path: string, source: TextSource): string {
  const text = readText(value, path, source)
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new ConfigError(source.file, path, `must be visible ASCII characters without blanks${originOf(value)}`)
}

/** The whole environment of the child process: nothing else of ours reaches it. */
function readEnvironment(
  own: Readonly<Record<string, TextOrEnv>>,
  path: string,
  source: TextSource,
): Readonly<Record<string, string>> {
  const inherited = INHERITED_VARIABLES.flatMap((name) => {
    const value = source.environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const named = Object.entries(own).map(
    ([name, value]) => [name, readVariable(value, `${path}.${name}`, source)] as const,
  )
  return Object.fromEntries([...inherited, ...named])
}

/** What the file itself holds is no secret, and what each process inherits neither. */
function readHidden(own: Readonly<Record<string, TextOrEnv>>, { environment }: TextSource): readonly string[] {
  return Object.values(own).flatMap((value) => {
    if (typeof value === 'string' || INHERITED_VARIABLES.includes(value.env)) return []
    const text = environment[value.env]
    return text ? [text] : []
  })
}

/** The system ends a value at a NUL, and Node refuses one at each start. */
function readVariable(value: TextOrEnv, path: string, source: TextSource): string {
  const text = readText(value, path, source)
  if (!text.includes('\0')) return text
  throw new ConfigError(source.file, path, `must hold no NUL${originOf(value)}`)
}
