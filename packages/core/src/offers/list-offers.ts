import type { Principal } from '@synchub/auth'
import type { Prompt, Resource, ResourceTemplate } from '@synchub/protocol'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { HubConfig } from '../config/hub-config.js'
import { heldNames, type OfferRule, PROMPT_RULE, RESOURCE_RULE, TEMPLATE_RULE } from './offer-rule.js'

/** An offer in the hub's own list. */
export type Listed<Offer> = Offer & {
  readonly _meta: {
    readonly agent: string
    /** False while the agent cannot be reached. */
    readonly available: boolean
  }
}

/** The resources that a principal may read, ordered by URI; see {@link listPrompts} for their names. */
export function listResources(
  catalogue: Catalogue,
  config: HubConfig,
  principal: Principal,
): readonly Listed<Resource>[] {
  return listOffers(RESOURCE_RULE, catalogue, config, principal)
}

/** The templates of the resources that a principal may read, ordered by template. */
export function listResourceTemplates(
  catalogue: Catalogue,
  config: HubConfig,
  principal: Principal,
): readonly Listed<ResourceTemplate>[] {
  return listOffers(TEMPLATE_RULE, catalogue, config, principal)
}

/**
 * The prompts that a principal may use, ordered by name, each under a name that stands for it alone: `Agent.prompt` where another
 * agent has the name too, whether the principal may use that or not. What the principal may not use is not listed (S4.1).
 */
export function listPrompts(catalogue: Catalogue, config: HubConfig, principal: Principal): readonly Listed<Prompt>[] {
  return listOffers(PROMPT_RULE, catalogue, config, principal)
}

function listOffers<Offer>(
  rule: OfferRule<Offer>,
  catalogue: Catalogue,
  config: HubConfig,
  principal: Principal,
): readonly Listed<Offer>[] {
  const agents = catalogue.agents.filter(({ name }) => config.agents.has(name))
  const holders = new Map<string, number>()
  for (const seen of agents) {
    for (const name of new Set(heldNames(rule, seen))) holders.set(name, (holders.get(name) ?? 0) + 1)
  }
  return agents
    .filter(({ name }) => rule.may(principal, name))
    .flatMap((seen) => rule.offersOf(seen).map((offer) => ({ seen, offer })))
    .map(({ seen, offer }) => {
      const own = rule.nameOf(offer)
      const isUnique = holders.get(own) === 1 && rule.readName(own, config).agentName === undefined
      const name = isUnique ? own : rule.qualify(seen.name, own)
      return { name, listed: { ...rule.renamed(offer, name), _meta: { agent: seen.name, available: seen.available } } }
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ listed }) => listed)
}
