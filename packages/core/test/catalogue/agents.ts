import type { Tool } from '@synchub/protocol'
import { type Catalogue, type CatalogueAgent, type HubConfig, NO_OFFERS, parseConfig } from '../../src/index.js'

/** A configuration of these agents, in this order, with what is set of each, and of these public paths. */
export function configOf(
  agents: Readonly<Record<string, object>>,
  publicPaths: Readonly<Record<string, object>> = {},
): HubConfig {
  const entries = Object.entries(agents).map(([name, own]) => [name, { url: `http://${name}.test`, ...own }])
  const text = JSON.stringify({ agents: Object.fromEntries(entries), publicPaths })
  return parseConfig({ text, file: 'test', environment: {} })
}

/** A tool that takes any object. */
export function toolOf(name: string): Tool {
  return { name, description: `What ${name} does`, inputSchema: { type: 'object' } }
}

/** An agent that is up and offers these tools. */
export function seenAgent(name: string, tools: readonly string[], own: Partial<CatalogueAgent> = {}): CatalogueAgent {
  const offers = tools.map((tool) => ({ tool: toolOf(tool), revision: `revision of ${name}.${tool}` }))
  return { name, available: true, ...NO_OFFERS, tools: offers, ...own }
}

/** A catalogue of these agents, in the order in which they came. */
export function catalogueOf(...agents: readonly CatalogueAgent[]): Catalogue {
  return { version: 1, agents }
}

/** Every order of the items. */
export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((first, at) => permutations(items.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}
