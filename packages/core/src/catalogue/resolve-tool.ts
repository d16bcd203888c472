import { HubError } from '@synchub/protocol'
import { type AgentConfig, type HubConfig, policyOf, type ToolPolicy } from '../config/hub-config.js'
import type { Catalogue, CatalogueAgent, CatalogueTool } from './catalogue.js'
import { hasTool, isKnown, refusedTools } from './known-tools.js'
import { readToolName, type ToolQuery } from './tool-name.js'

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

const NOT_ALL_KNOWN =
  'Ask GET /agents: some were not reached yet, so that nobody knows their tools. Start the agent that has it, or correct the name.'

interface Candidate {
  readonly agent: AgentConfig
  readonly seen: CatalogueAgent | undefined
}

/**
 * Finds the tool that a name stands for. The order in which agents came never matters: a bare name that two agents have is an
 * error, and `Agent.tool` or `_meta.targetAgent` chooses.
 * @throws HubError METHOD_NOT_FOUND, INVALID_PARAMS (ambiguous), CONTRACT_BROKEN (the tool's schema cannot be used),
 *   AGENT_UNAVAILABLE (the named agent was never seen, or its tool not checked yet)
 */
export function resolveTool(query: ToolQuery, catalogue: Catalogue, config: HubConfig): ResolvedTool {
  const { agentName, toolName } = readToolName(query, config)
  const agents = agentsMeant(query, agentName, config)
  if (agentName !== undefined && agents.length === 0) {
    throw new HubError('METHOD_NOT_FOUND', `the target agent ${agentName} is not registered`)
  }
  const candidates = agents.map((agent) => ({ agent, seen: catalogue.agents.find(({ name }) => name === agent.name) }))
  // The tool `github.search` of the agent `github` is meant by its own name too, where the agent has no tool `search`.
  for (const name of new Set([toolName, query.name])) {
    const [match, ...others] = candidates.filter(({ agent, seen }) => hasTool(name, agent, seen))
    if (match !== undefined && others.length > 0) throw ambiguous(name, [match, ...others])
    if (match !== undefined) return describe(name, match)
  }
  throw notFound(query, agentName, candidates)
}

/** A deployment is meant only by a request that came by its path, and by such a request nothing else is (S1.2). */
function agentsMeant(
  { deployment }: ToolQuery,
  agentName: string | undefined,
  { agents, publicPaths }: HubConfig,
): readonly AgentConfig[] {
  const reachable =
    deployment === undefined ? [...agents.values()] : [...publicPaths.values()].map(({ agent }) => agent)
  return reachable.filter(({ name }) => agentName === undefined || name === agentName)
}

function describe(name: string, { agent, seen }: Candidate): ResolvedTool {
  const refused = seen === undefined ? undefined : refusedTools(seen).find((tool) => tool.name === name)
  if (refused !== undefined) {
    const code = refused.pending === true ? 'AGENT_UNAVAILABLE' : 'CONTRACT_BROKEN'
    throw new HubError(code, `the tool ${name} of ${agent.name} is refused: ${refused.reason}`)
  }
  const offer = seen?.tools.find(({ tool }) => tool.name === name)
  return {
    agent,
    available: seen?.available ?? false,
    reason: seen?.reason ?? 'it was not reached yet',
    policy: policyOf(agent, name),
    name,
    ...(offer === undefined ? {} : { offer }),
  }
}

function ambiguous(name: string, holders: readonly Candidate[]): HubError {
  const names = holders.map(({ agent }) => `${agent.name}.${name}`).toSorted()
  return new HubError('INVALID_PARAMS', `the name ${name} is ambiguous: ${holders.length} agents have it`, {
    path: 'name',
    expected: `one of ${names.join(', ')}, or _meta.targetAgent`,
  })
}

function notFound(query: ToolQuery, agentName: string | undefined, candidates: readonly Candidate[]): HubError {
  if (agentName !== undefined && candidates.some(({ seen }) => !isKnown(seen))) {
    return new HubError('AGENT_UNAVAILABLE', `the agent ${agentName} was not reached yet, so its tools are not known`)
  }
  const where = agentName === undefined ? 'is not registered' : `is not registered at ${agentName}`
  const isComplete = candidates.every(({ seen }) => isKnown(seen))
  return new HubError(
    'METHOD_NOT_FOUND',
    `the tool ${query.name} ${where}`,
    isComplete ? {} : { nextStep: NOT_ALL_KNOWN },
  )
}
