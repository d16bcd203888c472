import { LOCAL_PRINCIPAL, type Principal } from '@synchub/auth'
import type { Prompt, Resource, ResourceTemplate } from '@synchub/protocol'
import type { AgentOffers, CatalogueAgent } from '../../src/index.js'
import { seenAgent } from '../catalogue/agents.js'

export const resourceOf = (uri: string): Resource => ({ uri, name: `What ${uri} is` })
export const templateOf = (uriTemplate: string): ResourceTemplate => ({ uriTemplate, name: `All ${uriTemplate}` })
export const promptOf = (name: string): Prompt => ({ name, description: `What ${name} asks` })

/** An agent that is up and offers this. */
export function offering(name: string, own: Partial<AgentOffers & CatalogueAgent>): CatalogueAgent {
  return seenAgent(name, [], own)
}

/** Somebody with these scopes. */
export function holder(...scopes: string[]): Principal {
  return { ...LOCAL_PRINCIPAL, scopes }
}
