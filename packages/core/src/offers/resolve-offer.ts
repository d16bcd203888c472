import type { Principal } from '@synchub/auth'
import { HubError } from '@synchub/protocol'
import type { Catalogue, CatalogueAgent } from '../catalogue/catalogue.js'
import type { AgentConfig, HubConfig } from '../config/hub-config.js'
import { heldNames, type OfferRule, PROMPT_RULE, RESOURCE_RULE, TEMPLATE_RULE } from './offer-rule.js'
import { UriTemplate } from './uri-template.js'

/** What a name or a URI stands for. */
export interface ResolvedOffer {
  readonly agent: AgentConfig
  /** The name, or URI, by which the agent itself knows it. */
  readonly name: string
}

/** Who asks, and where is looked. */
export interface OfferScene {
  readonly catalogue: Catalogue
  readonly config: HubConfig
  readonly principal: Principal
}

/**
 * Finds the agent whose resource a URI is: the one that lists it, else the one with a template that makes it.
 * @throws HubError FORBIDDEN (no scope for any such resource), NOT_FOUND, INVALID_PARAMS (several agents have it)
 */
export function resolveResource(uri: string, scene: OfferScene): ResolvedOffer {
  const missing = () => new HubError('NOT_FOUND', `there is no resource ${JSON.stringify(uri)}`)
  const listed = resolve(RESOURCE_RULE, uri, scene, (seen, name) => isHeld(RESOURCE_RULE, seen, name))
  const found = listed ?? resolve(TEMPLATE_RULE, uri, scene, mayMake)
  if (found === undefined) throw missing()
  return found
}

/**
 * Finds the agent whose template this is: what completion asks about.
 * @throws HubError as {@link resolveResource}
 */
export function resolveTemplate(uriTemplate: string, scene: OfferScene): ResolvedOffer {
  const found = resolve(TEMPLATE_RULE, uriTemplate, scene, (seen, name) => isHeld(TEMPLATE_RULE, seen, name))
  if (found === undefined) throw new HubError('NOT_FOUND', `there is no template ${JSON.stringify(uriTemplate)}`)
  return found
}

/**
 * Finds the agent whose prompt a name stands for.
 * @throws HubError FORBIDDEN (no scope for it), NOT_FOUND, INVALID_PARAMS (several agents have it)
 */
export function resolvePrompt(name: string, scene: OfferScene): ResolvedOffer {
  const found = resolve(PROMPT_RULE, name, scene, (seen, own) => isHeld(PROMPT_RULE, seen, own))
  if (found !== undefined) return found
  throw new HubError('NOT_FOUND', `there is no prompt ${name}`)
}

function resolve<Offer>(
  rule: OfferRule<Offer>,
  asked: string,
  { catalogue, config, principal }: OfferScene,
  has: (seen: CatalogueAgent, name: string) => boolean,
): ResolvedOffer | undefined {
  const { agentName, name } = rule.readName(asked, config)
  requireScope(rule, agentName, principal)
  const agents = catalogue.agents.filter((seen) => config.agents.has(seen.name))
  const meant = agentName === undefined ? agents : agents.filter((seen) => seen.name === agentName)
  // A name with a dot in it may be meant as it stands, where no agent of the name before the dot has it.
  for (const own of new Set([name, asked])) {
    const holders = (own === asked ? agents : meant).filter((seen) => has(seen, own))
    const visible = holders.filter((seen) => rule.may(principal, seen.name))
    const [only] = visible
    if (only === undefined) continue
    if (holders.length > 1) throw ambiguous(rule, own, visible)
    const agent = config.agents.get(only.name)
    if (agent !== undefined) return { agent, name: own }
  }
  return undefined
}

/** A refusal says only what the name says, so that it does not tell what exists. */
function requireScope<Offer>(
  { scope, may }: OfferRule<Offer>,
  agentName: string | undefined,
  principal: Principal,
): void {
  const missing = agentName === undefined ? scope : `${scope}:${agentName}`
  const holdsAny = principal.scopes.some((held) => held === scope || held.startsWith(`${scope}:`))
  const isAllowed = agentName === undefined ? holdsAny : may(principal, agentName)
  if (!isAllowed) throw new HubError('FORBIDDEN', `the API key has no scope ${missing}`, { scope: missing })
}

function isHeld<Offer>(rule: OfferRule<Offer>, seen: CatalogueAgent, name: string): boolean {
  for (const held of heldNames(rule, seen)) if (held === name) return true
  return false
}

function mayMake({ resourceTemplates }: CatalogueAgent, uri: string): boolean {
  return resourceTemplates.some(({ uriTemplate }) => UriTemplate.parse(uriTemplate)?.mayMatch(uri) === true)
}

function ambiguous<Offer>(rule: OfferRule<Offer>, name: string, holders: readonly CatalogueAgent[]): HubError {
  const names = holders.map((holder) => rule.qualify(holder.name, name)).toSorted()
  return new HubError('INVALID_PARAMS', `${name} is ambiguous: several agents have it`, {
    path: rule.kind === 'prompt' ? 'name' : 'uri',
    expected: `one of ${names.join(', ')}`,
  })
}
