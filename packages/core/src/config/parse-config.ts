import { readReach } from './agent-reach.js'
import { ConfigError } from './config-error.js'
import { type AgentFile, type ConfigFile, readConfigFile } from './config-file.js'
import { unknownScopes } from './config-schema.js'
import { DEFAULT_POLICY } from './default-policy.js'
import { checkDelegates } from './delegates.js'
import type { AccessConfig, AgentConfig, HubConfig, ToolPolicy } from './hub-config.js'
import { readPublicPaths } from './public-path.js'
import type { TextSource } from './text-or-env.js'

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** What {@link parseConfig} reads. */
export interface ConfigSource extends TextSource {
  /** Content of the file. */
  readonly text: string
}

/**
 * Checks a `synchub.config.json` and fills in its defaults.
 * @throws ConfigError naming file, place and expectation
 */
export function parseConfig(source: ConfigSource): HubConfig {
  const { access, http, limits, idempotency, streams, retention, stop, agents, publicPaths } = readConfigFile(
    source.text,
    source.file,
  )
  if (limits.defaultWaitMs > limits.maxWaitMs) {
    throw new ConfigError(
      source.file,
      'limits.defaultWaitMs',
      `must be <= ${limits.maxWaitMs}, which is limits.maxWaitMs`,
    )
  }
  const ownAgents = new Map(Object.entries(agents).map(([name, agent]) => [name, toAgent(name, agent, source)]))
  checkDelegates(ownAgents, source.file)
  return {
    access: toAccess(access, source.file),
    allowedHosts: [...LOOPBACK_HOSTS, ...http.allowedHosts],
    allowedOrigins: http.allowedOrigins,
    limits,
    idempotency,
    streams,
    retention,
    stop,
    agents: ownAgents,
    publicPaths: readPublicPaths(publicPaths, Object.keys(agents), source),
  }
}

function toAgent(name: string, agent: AgentFile, source: ConfigSource): AgentConfig {
  const policy = ownPolicy(DEFAULT_POLICY, agent)
  return {
    name,
    ...readReach(`agents.${name}`, agent, source),
    trust: agent.trust,
    concurrency: agent.concurrency,
    ...(agent.delegates === undefined ? {} : { delegates: agent.delegates }),
    policy,
    tools: new Map(Object.entries(agent.tools).map(([tool, own]) => [tool, ownPolicy(policy, own)])),
  }
}

/** A policy with what an agent or a tool says of its own. */
function ownPolicy(general: ToolPolicy, own: Partial<ToolPolicy>): ToolPolicy {
  return {
    mode: own.mode ?? general.mode,
    silenceTimeoutMs: own.silenceTimeoutMs ?? general.silenceTimeoutMs,
    maxDurationMs: own.maxDurationMs ?? general.maxDurationMs,
    queueWaitMs: own.queueWaitMs ?? general.queueWaitMs,
    lateAnswerMs: own.lateAnswerMs ?? general.lateAnswerMs,
    safeToRepeat: own.safeToRepeat ?? general.safeToRepeat,
    taskOnly: own.taskOnly ?? general.taskOnly,
    asksFirst: own.asksFirst ?? general.asksFirst,
    maxAttempts: own.maxAttempts ?? general.maxAttempts,
    retryDelayMs: own.retryDelayMs ?? general.retryDelayMs,
  }
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
