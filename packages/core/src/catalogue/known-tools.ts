import type { AgentConfig } from '../config/hub-config.js'
import type { RefusedOffer } from '../offers/agent-offers.js'
import type { CatalogueAgent } from './catalogue.js'

/** Whether the agent was ever reached: one that is down since the start is in the catalogue without tools. */
export function isKnown(seen: CatalogueAgent | undefined): seen is CatalogueAgent {
  return seen !== undefined && (seen.available || seen.tools.length > 0 || refusedTools(seen).length > 0)
}

/**
 * Names that an agent holds: those of its tools, also of refused ones, since a name must not pass to another agent when a schema
 * breaks; and those of the configuration until the agent was reached, since a name must not depend on who came first.
 */
export function* toolNames(agent: AgentConfig, seen: CatalogueAgent | undefined): Generator<string> {
  if (!isKnown(seen)) return yield* agent.tools.keys()
  for (const { tool } of seen.tools) yield tool.name
  for (const { name } of refusedTools(seen)) yield name
}

/** Whether an agent holds this name. */
export function hasTool(name: string, agent: AgentConfig, seen: CatalogueAgent | undefined): boolean {
  for (const held of toolNames(agent, seen)) if (held === name) return true
  return false
}

/** The tools that an agent lists and the hub does not offer, as far as they have a name. */
export function refusedTools({ refused }: CatalogueAgent): readonly (RefusedOffer & { readonly name: string })[] {
  return refused.flatMap((offer) => {
    const { kind, name } = offer
    return kind === 'tool' && name !== undefined ? [{ ...offer, name }] : []
  })
}
