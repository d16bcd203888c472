import { readEndpoint } from './agent-reach.js'
import { ConfigError } from './config-error.js'
import type { PublicPathFile } from './config-file.js'
import { DEFAULT_POLICY } from './default-policy.js'
import type { PublicPath, ToolPolicy } from './hub-config.js'
import type { TextSource } from './text-or-env.js'

/** The one list of names that the local profile goes by (S1.7), relative to the folder that the process runs in. */
const SAMPLE_MANIFEST = 'config/local-core-tools-manifest-sample-v1.json'

/** What the hub serves itself: these paths, and what lies below them. */
const OWN_PATHS = [
  '/rpc',
  '/healthz',
  '/readyz',
  '/metrics',
  '/events',
  '/session',
  '/dashboard',
  '/traces',
  '/calls',
  '/agents',
  '/.well-known',
]
/** The hub's own MCP endpoint; what lies below it is free. */
const OWN_ENDPOINT = '/mcp'

/**
 * Reads the public paths.
 * @param agents - names of the agents, which a deployment may not have too
 * @throws ConfigError naming the place
 */
export function readPublicPaths(
  paths: Readonly<Record<string, PublicPathFile>>,
  agents: readonly string[],
  source: TextSource,
): ReadonlyMap<string, PublicPath> {
  const taken = new Set(agents)
  const read = new Map<string, PublicPath>()
  for (const [path, settings] of Object.entries(paths)) {
    const place = `publicPaths.${path}`
    const isOwn = path === OWN_ENDPOINT || OWN_PATHS.some((own) => path === own || path.startsWith(`${own}/`))
    if (isOwn) throw new ConfigError(source.file, place, 'is a path that the hub serves itself')
    if (taken.has(settings.name)) {
      const expectation = `is "${settings.name}", which an agent or another public path has too`
      throw new ConfigError(source.file, `${place}.name`, expectation)
    }
    taken.add(settings.name)
    read.set(path, toPublicPath(path, settings, source))
  }
  return read
}

function toPublicPath(path: string, settings: PublicPathFile, source: TextSource): PublicPath {
  const { name, title = name, version, url, secret, manifest, profile, trust, refreshMs } = settings
  const { fallbackManifest } = settings
  const place = `publicPaths.${path}`
  if (profile === 'production' && fallbackManifest !== undefined) {
    const expectation = 'belongs to the profile "local": production takes its tools from the service alone'
    throw new ConfigError(source.file, `${place}.fallbackManifest`, expectation)
  }
  return {
    path,
    title,
    version,
    agent: {
      name,
      connector: 'tool-service',
      ...readEndpoint(place, url, secret, source),
      manifest,
      trust,
      concurrency: 1,
      policy: policyOfPath(settings),
      tools: new Map(),
    },
    profile,
    ...(profile === 'local' ? { fallbackManifest: fallbackManifest ?? SAMPLE_MANIFEST } : {}),
    refreshMs,
  }
}

/** Synchronous: asked at once, once, and never handed to a queue, which `safeToRepeat` would allow (S1.1). */
function policyOfPath({ timeoutMs }: PublicPathFile): ToolPolicy {
  return {
    ...DEFAULT_POLICY,
    mode: 'direct',
    silenceTimeoutMs: timeoutMs,
    maxDurationMs: timeoutMs,
    safeToRepeat: false,
    taskOnly: false,
    asksFirst: false,
    maxAttempts: 1,
  }
}
