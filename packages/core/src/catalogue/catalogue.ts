import type { Prompt, Resource, ResourceTemplate, Tool } from '@synchub/protocol'
import type { RefusedOffer } from '../offers/agent-offers.js'

/** A tool that an agent offers, with the digest of its schemas. */
export interface CatalogueTool {
  readonly tool: Tool
  readonly revision: string
}

/** What is known of one agent. What it offers stays known while it is down. */
export interface CatalogueAgent {
  readonly name: string
  readonly available: boolean
  /** Why it is not available, in words. */
  readonly reason?: string
  readonly tools: readonly CatalogueTool[]
  readonly resources: readonly Resource[]
  readonly resourceTemplates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  /** What cannot be offered, each with its reason. */
  readonly refused: readonly RefusedOffer[]
}

/** What all agents offer, as one discoverer saw it; hubs read it. */
export interface Catalogue {
  /** Goes up with every change. */
  readonly version: number
  readonly agents: readonly CatalogueAgent[]
}

/** A catalogue before the first discovery. */
export const EMPTY_CATALOGUE: Catalogue = { version: 0, agents: [] }

/** Where the catalogue is kept for all processes. */
export interface CatalogueStore {
  read(): Promise<Catalogue>
  /**
   * Stores what changed since `knownVersion` under the next version and tells every hub.
   * @returns that version; null where another dispatcher has written since, so that what was found may be older than what stands
   */
  write(agents: readonly CatalogueAgent[], knownVersion: number): Promise<number | null>
}
