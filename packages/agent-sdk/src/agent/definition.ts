import { AGENT_NAME_RULE, isAgentName } from '@synchub/protocol'
import type { AgentPrompt } from '../prompts/definition.js'
import type { AgentResource } from '../resources/definition.js'
import type { AgentTool } from '../tools/definition.js'

/** What the author of an agent writes down. */
export interface AgentOptions {
  /** 1 to 64 characters of A-Z a-z 0-9 _ - */
  readonly name: string
  readonly version: string
  /** What models call. */
  readonly tools: readonly AgentTool[]
  /** What people pick. Default none. */
  readonly prompts?: readonly AgentPrompt[]
  /** What people and models read. Default none. */
  readonly resources?: readonly AgentResource[]
}

/** An agent that is ready to be served; {@link defineAgent} makes it. */
export interface Agent {
  readonly name: string
  readonly version: string
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly prompts: ReadonlyMap<string, AgentPrompt>
  readonly resources: readonly AgentResource[]
}

/**
 * Makes an agent of its tools, prompts and resources.
 * @throws Error when its name is not valid, or two of a kind have the same name
 */
export function defineAgent({ name, version, tools, prompts = [], resources = [] }: AgentOptions): Agent {
  if (!isAgentName(name)) throw new Error(`the agent name ${JSON.stringify(name)} must be ${AGENT_NAME_RULE}`)
  const uris = indexBy(resources, (resource) => resource.pattern.text, `agent ${name}: two resources have the URI`)
  return {
    name,
    version,
    tools: indexBy(tools, (tool) => tool.listing.name, `agent ${name}: two tools are called`),
    prompts: indexBy(prompts, (prompt) => prompt.name, `agent ${name}: two prompts are called`),
    resources: [...uris.values()],
  }
}

function indexBy<T>(items: readonly T[], keyOf: (item: T) => string, complaint: string): Map<string, T> {
  const byKey = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    if (byKey.has(key)) throw new Error(`${complaint} ${key}`)
    byKey.set(key, item)
  }
  return byKey
}
