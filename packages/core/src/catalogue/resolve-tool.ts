import { HubError } from '@synchub/protocol'
import { type AgentConfig, type HubConfig, policyOf, type ToolPolicy } from '../config/hub-config.js'
import type { Catalogue, CatalogueAgent, CatalogueTool } from './catalogue.js'

/** A tool that a name stands for. */
export interface ResolvedTool {
  readonly agent: AgentConfig
  readonly available: boolean
  /** Why the agent is not available. */
  readonly reason?: string
  readonly policy: ToolPolicy
  /** Name of the tool at its agent. */
  readonly name: string
  /** Absent where the configuration names the tool, but its agent was never seen. */
  readonly offer?: CatalogueTool
}

/** What a caller asked for. */
export interface ToolQuery {
  /** `tool`, or `Agent.tool`. */
  readonly name: string
  readonly targetAgent?: string
}

/** What a name says by itself, whether there is such a tool or not. */
export interface NamedTool {
  /** Absent where any agent will do. */
  readonly agentName?: string
  readonly toolName: string
}

/**
 * Finds the tool that a name stands for. The order in which agents came never matters: a bare name that two agents have is an
 * error, and `Agent.tool` or `_meta.targetAgent` chooses.
 * @throws HubError METHOD_NOT_FOUND, INVALID_PARAMS (ambiguous), CONTRACT_BROKEN (the tool's schema cannot be used),
 *   AGENT_UNAVAILABLE (the named agent was never seen)
 */
export function resolveTool(query: ToolQuery, catalogue: Catalogue, config: HubConfig): ResolvedTool {
  const { agentName, toolName } = readToolName(query, config)
  if (agentName !== undefined && !config.agents.has(agentName)) {
    throw new HubError('METHOD_NOT_FOUND', `the target agent ${agentName} is not registered`)
  }
  const candidates = [...config.agents.values()]
    .filter((agent) => agentName === undefined || agent.name === agentName)
    .map((agent) => ({ agent, seen: catalogue.agents.find(({ name }) => name === agent.name) }))
  const matches = candidates.filter(({ agent, seen }) => hasTool(toolName, agent, seen))
  const [match] = matches
  if (match === undefined) throw notFound(query, agentName, candidates)
  if (matches.length > 1) {
    const names = matches.map(({ agent }) => `${agent.name}.${toolName}`).sort()
    throw new HubError('INVALID_PARAMS', `the name ${toolName} is ambiguous: ${matches.length} agents have it`, {
      path: 'name',
      expected: `one of ${names.join(', ')}, or _meta.targetAgent`,
    })
  }
  const { agent, seen } = match
  const refused = seen?.refused.find(({ tool }) => tool === toolName)
  if (refused !== undefined) {
    throw new HubError('CONTRACT_BROKEN', `the tool ${toolName} of ${agent.name} is refused: ${refused.reason}`)
  }
  const offer = seen?.tools.find(({ tool }) => tool.name === toolName)
  return {
    agent,
    available: seen?.available ?? false,
    reason: seen?.reason ?? 'it was not reached yet',
    policy: policyOf(agent, toolName),
    name: toolName,
    ...(offer === undefined ? {} : { offer }),
  }
}

/** Takes `Agent.tool` apart; a dot after something else than an agent belongs to the tool. */
export function readToolName({ name, targetAgent }: ToolQuery, config: HubConfig): NamedTool {
  const dot = name.indexOf('.')
  const prefix = name.slice(0, Math.max(dot, 0))
  const qualified = config.agents.has(prefix) && (targetAgent === undefined || targetAgent === prefix)
  if (qualified) return { agentName: prefix, toolName: name.slice(dot + 1) }
  return { ...(targetAgent === undefined ? {} : { agentName: targetAgent }), toolName: name }
}

function hasTool(name: string, agent: AgentConfig, seen: CatalogueAgent | undefined): boolean {
  if (seen?.tools.some(({ tool }) => tool.name === name) || seen?.refused.some(({ tool }) => tool === name)) return true
  return !isKnown(seen) && agent.tools.has(name)
}

/** Whether the agent was ever reached: one that is down since the start is in the catalogue without tools. */
function isKnown(seen: CatalogueAgent | undefined): boolean {
  return seen !== undefined && (seen.available || seen.tools.length > 0 || seen.refused.length > 0)
}

function notFound(
  query: ToolQuery,
  agentName: string | undefined,
  candidates: readonly { agent: AgentConfig; seen: CatalogueAgent | undefined }[],
): HubError {
  const unseen = candidates.filter(({ seen }) => !isKnown(seen))
  if (agentName !== undefined && unseen.length > 0) {
    return new HubError('AGENT_UNAVAILABLE', `the agent ${agentName} was not reached yet, so its tools are not known`)
  }
  const where = agentName === undefined ? 'is not registered' : `is not registered at ${agentName}`
  return new HubError('METHOD_NOT_FOUND', `the tool ${query.name} ${where}`)
}
