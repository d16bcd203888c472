import { AGENT_NAME_RULE, isAgentName } from '@synchub/protocol'
import type { AgentTool } from '../tools/definition.js'

/** What the author of an agent writes down. */
export interface AgentOptions {
  /** 1 to 64 characters of A-Z a-z 0-9 _ - */
  readonly name: string
  readonly version: string
  readonly tools: readonly AgentTool[]
}

/** An agent that is ready to be served; {@link defineAgent} makes it. */
export interface Agent {
  readonly name: string
  readonly version: string
  readonly tools: ReadonlyMap<string, AgentTool>
}

/**
 * Makes an agent of its tools.
 * @throws Error when its name is not valid, or two tools have the same name
 */
export function defineAgent({ name, version, tools }: AgentOptions): Agent {
  if (!isAgentName(name)) throw new Error(`the agent name ${JSON.stringify(name)} must be ${AGENT_NAME_RULE}`)
  const byName = new Map<string, AgentTool>()
  for (const tool of tools) {
    if (byName.has(tool.listing.name)) throw new Error(`agent ${name}: two tools are called ${tool.listing.name}`)
    byName.set(tool.listing.name, tool)
  }
  return { name, version, tools: byName }
}
