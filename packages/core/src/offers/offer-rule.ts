import { mayGetPrompts, mayReadResources, type Principal } from '@synchub/auth'
import type { Prompt, Resource, ResourceTemplate } from '@synchub/protocol'
import type { CatalogueAgent } from '../catalogue/catalogue.js'
import { readToolName } from '../catalogue/tool-name.js'
import type { HubConfig } from '../config/hub-config.js'
import type { OfferKind } from './agent-offers.js'
import { qualifyUri, readQualifiedUri } from './qualified-uri.js'

/** What holds for one kind of offers beside tools: what names them, who may see them. */
export interface OfferRule<Offer> {
  readonly kind: OfferKind
  offersOf(seen: CatalogueAgent): readonly Offer[]
  /** The name, or URI, by which the agent itself knows it. */
  nameOf(offer: Offer): string
  /** The same offer under another name. */
  renamed(offer: Offer, name: string): Offer
  may(principal: Principal, agent: string): boolean
  /** The scope that allows it for every agent; `:<agent>` behind it allows one. */
  readonly scope: string
  /** The name that stands for one agent's offer, where several have the name. */
  qualify(agent: string, name: string): string
  /** What a name says by itself: perhaps the agent, and the name there. */
  readName(name: string, config: HubConfig): { readonly agentName?: string; readonly name: string }
}

const uriNames = {
  may: mayReadResources,
  scope: 'resources:read',
  qualify: qualifyUri,
  readName(uri: string, config: HubConfig) {
    const { uri: name, ...agent } = readQualifiedUri(uri, config)
    return { name, ...agent }
  },
}

/** Resources are named by their URI. */
export const RESOURCE_RULE: OfferRule<Resource> = {
  ...uriNames,
  kind: 'resource',
  offersOf: ({ resources }) => resources,
  nameOf: ({ uri }) => uri,
  renamed: (resource, uri) => ({ ...resource, uri }),
}

/** Templates of resources are named by their URI template. */
export const TEMPLATE_RULE: OfferRule<ResourceTemplate> = {
  ...uriNames,
  kind: 'resourceTemplate',
  offersOf: ({ resourceTemplates }) => resourceTemplates,
  nameOf: ({ uriTemplate }) => uriTemplate,
  renamed: (template, uriTemplate) => ({ ...template, uriTemplate }),
}

/** Prompts are named as tools are. */
export const PROMPT_RULE: OfferRule<Prompt> = {
  kind: 'prompt',
  offersOf: ({ prompts }) => prompts,
  nameOf: ({ name }) => name,
  renamed: (prompt, name) => ({ ...prompt, name }),
  may: mayGetPrompts,
  scope: 'prompts:get',
  qualify: (agent, name) => `${agent}.${name}`,
  readName(name, config) {
    const { toolName, ...agent } = readToolName({ name }, config)
    return { name: toolName, ...agent }
  },
}

/** Names of this kind that an agent holds: also of what is refused, since a name must not pass to another agent when it breaks. */
export function* heldNames<Offer>(
  { kind, offersOf, nameOf }: OfferRule<Offer>,
  seen: CatalogueAgent,
): Generator<string> {
  for (const offer of offersOf(seen)) yield nameOf(offer)
  for (const refused of seen.refused) if (refused.kind === kind && refused.name !== undefined) yield refused.name
}
