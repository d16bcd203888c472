import { maskRunAccess } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { agentOf, type HubConfig } from '../config/hub-config.js'
import type { OpenedCall } from '../delegation/run-access.js'

/** Shorter ones would be found in innocent text. */
const MIN_SECRET_LENGTH = 8
const MASK = '[redacted]'

/**
 * Takes an agent's secret out of what the agent sent, before any of it is recorded: a proxy or a debugging agent that echoes
 * its headers must not put the secret into an event (invariant 9). Costs nothing where the secret is not in it.
 */
export function maskSecret<Data extends object>(data: Data, secret: string | undefined): Data {
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return data
  const text = JSON.stringify(data)
  const written = JSON.stringify(secret).slice(1, -1)
  return text.includes(written) ? (JSON.parse(text.replaceAll(written, MASK)) as Data) : data
}

/**
 * What the agent of a call sent, without anything that the hub had given it to show: the agent's secret, and the run access token of
 * this or an earlier attempt.
 */
export function maskSent(data: JsonObject, call: OpenedCall, ports: { readonly config: HubConfig }): JsonObject {
  const masked = maskSecret(data, secretOf(call, ports))
  if (call.grant === undefined) return masked
  const text = JSON.stringify(masked)
  const rest = maskRunAccess(text, MASK)
  return rest === text ? masked : (JSON.parse(rest) as JsonObject)
}

/** The secret that the hub sends to the agent of a call; undefined where there is none. */
function secretOf(call: { readonly agent: string }, { config }: { readonly config: HubConfig }): string | undefined {
  const agent = agentOf(config, call.agent)
  return agent !== undefined && 'secret' in agent ? agent.secret : undefined
}
