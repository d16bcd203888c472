import type { HubConfig } from '../config/hub-config.js'

/** What a caller asked for. */
export interface ToolQuery {
  /** `tool`, or `Agent.tool`. */
  readonly name: string
  readonly targetAgent?: string
  /**
   * The deployment of the public path that the request came by: the name is one of its tools as it stands (S1.8), and nothing
   * else of the hub can be meant.
   */
  readonly deployment?: string
}

/** What a name says by itself, whether there is such a tool or not. */
export interface NamedTool {
  /** Absent where any agent will do. */
  readonly agentName?: string
  readonly toolName: string
}

/** Takes `Agent.tool` apart; a dot after something else than an agent belongs to the tool. */
export function readToolName({ name, targetAgent, deployment }: ToolQuery, config: HubConfig): NamedTool {
  if (deployment !== undefined) return { agentName: deployment, toolName: name }
  const dot = name.indexOf('.')
  const prefix = name.slice(0, Math.max(dot, 0))
  const qualified = config.agents.has(prefix) && (targetAgent === undefined || targetAgent === prefix)
  if (qualified) return { agentName: prefix, toolName: name.slice(dot + 1) }
  return { ...(targetAgent === undefined ? {} : { agentName: targetAgent }), toolName: name }
}
