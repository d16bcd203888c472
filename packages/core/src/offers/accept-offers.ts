import type { AgentOffers, RefusedOffer } from './agent-offers.js'
import { isReservedUri } from './qualified-uri.js'
import { UriTemplate } from './uri-template.js'

const RESERVED = 'its URI has a scheme of the hub itself: agent: or trace:'
const NO_TEMPLATE = 'its URI is no template of RFC 6570 with at most 32 variables'

/** Sorts what an agent offers beside its tools into what the hub offers, by name, and what it refuses, each with its reason. */
export function acceptOffers(offers: AgentOffers): AgentOffers {
  const refused: RefusedOffer[] = [...offers.refused]
  const resources = offers.resources.filter(({ uri }) => {
    if (!isReservedUri(uri)) return true
    refused.push({ kind: 'resource', name: uri, reason: RESERVED })
    return false
  })
  const resourceTemplates = offers.resourceTemplates.filter(({ uriTemplate }) => {
    const fault = faultOfTemplate(uriTemplate)
    if (fault === undefined) return true
    refused.push({ kind: 'resourceTemplate', name: uriTemplate, reason: fault })
    return false
  })
  return {
    resources: sortedBy(resources, ({ uri }) => uri),
    resourceTemplates: sortedBy(resourceTemplates, ({ uriTemplate }) => uriTemplate),
    prompts: sortedBy(offers.prompts, ({ name }) => name),
    refused,
  }
}

function faultOfTemplate(uriTemplate: string): string | undefined {
  if (isReservedUri(uriTemplate)) return RESERVED
  return UriTemplate.parse(uriTemplate) === undefined ? NO_TEMPLATE : undefined
}

function sortedBy<Offer>(offers: readonly Offer[], nameOf: (offer: Offer) => string): readonly Offer[] {
  return offers.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))
}
