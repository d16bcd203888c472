import { maskRunAccess } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { type AgentConfig, agentOf, type HubConfig } from '../config/hub-config.js'
import type { OpenedCall } from '../delegation/run-access.js'

/** Shorter ones would be found in innocent text. */
const MIN_SECRET_LENGTH = 8
const MASK = '[redacted]'

/**
 * Takes an agent's secrets out of what the agent sent, before any of it is recorded: a proxy or a debugging agent that echoes
 * its headers, or its environment, must not put a secret into an event (invariant 9). Costs little where no secret is in it.
 */
export function maskSecrets<Data extends object>(data: Data, secrets: readonly string[]): Data {
  const written = secrets
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
  if (written.length === 0) return data
  const text = JSON.stringify(data)
  const found = written.filter((secret) => text.includes(secret))
  if (found.length === 0) return data
  // One may be part of another.
  found.sort((left, right) => right.length - left.length)
  return JSON.parse(found.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)) as Data
}

/** What an agent was given that must not be told: the secret that the hub sends to it, or those of its environment. */
export function secretsOf(agent: AgentConfig): readonly string[] {
  if (agent.connector === 'mcp-stdio') return agent.secrets
  return agent.secret === undefined ? [] : [agent.secret]
}

/**
 * What the agent of a call sent, without anything that the hub had given it to show: the agent's secrets, and the run access token of
 * this or an earlier attempt.
 */
export function maskSent(data: JsonObject, call: OpenedCall, ports: { readonly config: HubConfig }): JsonObject {
  const agent = agentOf(ports.config, call.agent)
  const masked = agent === undefined ? data : maskSecrets(data, secretsOf(agent))
  if (call.grant === undefined) return masked
  const text = JSON.stringify(masked)
  const rest = maskRunAccess(text, MASK)
  return rest === text ? masked : (JSON.parse(rest) as JsonObject)
}
