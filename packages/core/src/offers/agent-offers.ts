import type {
  Completion,
  CompletionQuery,
  FilledPrompt,
  InputRequired,
  JsonObject,
  Prompt,
  Resource,
  ResourceReading,
  ResourceTemplate,
} from '@synchub/protocol'

/** The kinds of things that an agent offers; people see them apart (S4.2). */
export type OfferKind = 'tool' | 'resource' | 'resourceTemplate' | 'prompt'

/** Something that an agent lists and the hub does not offer. */
export interface RefusedOffer {
  readonly kind: OfferKind
  /** Its name, or its URI; absent where it has none that can be read, or the list as a whole is meant. */
  readonly name?: string
  readonly reason: string
  /** It was not looked at yet: nothing is known to be wrong with it. */
  readonly pending?: boolean
}

/** A list of one kind as an agent gave it. */
export interface OfferList<Offer> {
  readonly offers: readonly Offer[]
  readonly refused: readonly RefusedOffer[]
}

/** What an agent offers beside its tools. */
export interface AgentOffers {
  readonly resources: readonly Resource[]
  readonly resourceTemplates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  readonly refused: readonly RefusedOffer[]
}

/** What an agent without resources and prompts offers. */
export const NO_OFFERS: AgentOffers = { resources: [], resourceTemplates: [], prompts: [], refused: [] }

/** How a reader can be asked something before it gets what it wants. */
export interface AskableQuery {
  /** What the caller can be asked first, as it has declared it; nothing where absent. */
  readonly inputCapabilities?: JsonObject
  /** What the caller answered to what the agent asked, with the state that the agent gave along. */
  readonly input?: { readonly responses: JsonObject; readonly requestState?: string }
}

/** Which prompt is wanted, and what it is filled with. */
export interface PromptQuery extends AskableQuery {
  readonly name: string
  readonly arguments?: JsonObject
}

/** Which resource is wanted. */
export interface ResourceQuery extends AskableQuery {
  readonly uri: string
}

/** What a resource holds, or what the agent asks before it tells. */
export type ResourceAnswer = ResourceReading | InputRequired

/** A prompt as it was filled, or what the agent asks before it fills it. */
export type PromptReading = FilledPrompt | InputRequired

/**
 * Reads what an agent offers beside its tools. Nothing is changed by it and nothing recorded, so it may be done again.
 * Each method throws HubError: AGENT_UNAVAILABLE (also where the answer did not come in time), CONTRACT_BROKEN, or what the agent
 * refused with.
 */
export interface OfferReader {
  /** @throws HubError NOT_FOUND when the agent has no resource of this URI */
  readResource(query: ResourceQuery, signal: AbortSignal): Promise<ResourceAnswer>
  /** @throws HubError NOT_FOUND when the agent has no such prompt, INVALID_PARAMS where it takes other arguments */
  getPrompt(query: PromptQuery, signal: AbortSignal): Promise<PromptReading>
  /** Of an agent that completes nothing: no values. */
  complete(query: CompletionQuery, signal: AbortSignal): Promise<Completion>
}

/** What one agent offers beside its tools: the lists, and what stands behind them. */
export interface OfferSource extends OfferReader {
  /** Never throws: a list that cannot be read is among what is refused, with the reason. */
  list(signal: AbortSignal): Promise<AgentOffers>
}
