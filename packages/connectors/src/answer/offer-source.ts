import type {
  AgentOffers,
  AskableQuery,
  OfferList,
  OfferSource,
  PromptQuery,
  PromptReading,
  RefusedOffer,
  ResourceAnswer,
  ResourceQuery,
} from '@synchub/core'
import {
  AnswerShapeError,
  type Completion,
  type CompletionQuery,
  HubError,
  type JsonObject,
  META_KEYS,
  parseCompletion,
  parseFilledPrompt,
  parseInputRequired,
  parseResourceReading,
} from '@synchub/protocol'
import { BrokenAnswerError } from './broken-answer.js'
import { collectOffers, type OfferListing, PROMPTS, RESOURCE_TEMPLATES, RESOURCES } from './offer-list.js'

/**
 * Asks the agent something and gives the result as it came.
 * @throws HubError METHOD_NOT_FOUND where the agent has nothing of the kind
 */
export type AskAgent = (method: string, params: JsonObject, signal: AbortSignal) => Promise<unknown>

const NOTHING_TO_COMPLETE: Completion = { values: [], total: 0, hasMore: false }

/** The offers of an agent that speaks the methods of MCP, whatever carries them. */
export function createOfferSource(ask: AskAgent): OfferSource {
  return {
    async list(signal) {
      const [resources, templates, prompts] = await Promise.all([
        listKind(RESOURCES, ask, signal),
        listKind(RESOURCE_TEMPLATES, ask, signal),
        listKind(PROMPTS, ask, signal),
      ])
      return {
        resources: resources.offers,
        resourceTemplates: templates.offers,
        prompts: prompts.offers,
        refused: [...resources.refused, ...templates.refused, ...prompts.refused],
      } satisfies AgentOffers
    },
    async readResource({ uri, ...askable }: ResourceQuery, signal): Promise<ResourceAnswer> {
      try {
        const answer = await ask('resources/read', { uri, ...askableParams(askable) }, signal)
        return parseShape(parseInputRequired, answer) ?? parseShape(parseResourceReading, answer)
      } catch (thrown) {
        // The hub has checked the parameters, so what is wrong with them is that they name nothing.
        const isMissing = isRefusal(thrown, 'METHOD_NOT_FOUND') || isRefusal(thrown, 'INVALID_PARAMS')
        if (!isMissing) throw thrown
        throw new HubError('NOT_FOUND', `the agent has no resource ${JSON.stringify(uri)}`, { cause: thrown })
      }
    },
    async getPrompt(query: PromptQuery, signal): Promise<PromptReading> {
      const { name, arguments: args } = query
      const params = { name, ...(args === undefined ? {} : { arguments: args }), ...askableParams(query) }
      try {
        const answer = await ask('prompts/get', params, signal)
        return parseShape(parseInputRequired, answer) ?? parseShape(parseFilledPrompt, answer)
      } catch (thrown) {
        if (!isRefusal(thrown, 'METHOD_NOT_FOUND')) throw thrown
        throw new HubError('NOT_FOUND', `the agent has no prompt ${name}`, { cause: thrown })
      }
    },
    async complete({ ref, argument, context }: CompletionQuery, signal): Promise<Completion> {
      const params = { ref, argument, ...(context === undefined ? {} : { context: { arguments: context } }) }
      try {
        return parseShape(parseCompletion, await ask('completion/complete', params, signal))
      } catch (thrown) {
        if (isRefusal(thrown, 'METHOD_NOT_FOUND')) return NOTHING_TO_COMPLETE
        throw thrown
      }
    },
  }
}

/** What the reader can be asked, and what it answered. */
function askableParams({ inputCapabilities, input }: AskableQuery): JsonObject {
  return {
    ...(input === undefined ? {} : { inputResponses: input.responses, requestState: input.requestState }),
    ...(inputCapabilities === undefined ? {} : { _meta: { [META_KEYS.clientCapabilities]: inputCapabilities } }),
  }
}

/** The offers of an agent that has nothing but tools. */
export const TOOLS_ONLY: OfferSource = createOfferSource(async (method) => {
  throw new HubError('METHOD_NOT_FOUND', `a tool service has no ${method}`)
})

async function listKind<Offer>(
  listing: OfferListing<Offer>,
  ask: AskAgent,
  signal: AbortSignal,
): Promise<OfferList<Offer>> {
  const { kind, method } = listing
  try {
    return await collectOffers(listing, (cursor) => ask(method, cursor === undefined ? {} : { cursor }, signal))
  } catch (thrown) {
    if (isRefusal(thrown, 'METHOD_NOT_FOUND')) return { offers: [], refused: [] }
    return { offers: [], refused: [refusedList(kind, method, thrown)] }
  }
}

/** A list that cannot be read takes nothing from the others. */
function refusedList(kind: RefusedOffer['kind'], method: string, thrown: unknown): RefusedOffer {
  if (thrown instanceof BrokenAnswerError) return { kind, reason: thrown.message }
  if (thrown instanceof HubError) return { kind, reason: `${method} cannot be read: ${thrown.reason}` }
  throw thrown
}

function isRefusal(thrown: unknown, code: HubError['code']): boolean {
  return thrown instanceof HubError && thrown.code === code
}

/** @throws HubError CONTRACT_BROKEN naming the place */
function parseShape<Value>(parse: (value: unknown) => Value, value: unknown): Value {
  try {
    return parse(value)
  } catch (thrown) {
    if (!(thrown instanceof AnswerShapeError)) throw thrown
    throw new HubError('CONTRACT_BROKEN', thrown.message, { cause: thrown })
  }
}
