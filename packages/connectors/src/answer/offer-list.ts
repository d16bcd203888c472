import type { OfferKind, OfferList, RefusedOffer } from '@synchub/core'
import {
  AnswerShapeError,
  isJsonObject,
  type JsonObject,
  type Prompt,
  parsePrompt,
  parseResource,
  parseResourceTemplate,
  parseTool,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from '@synchub/protocol'
import { BrokenAnswerError } from './broken-answer.js'

/** Most pages of one list, so that an agent cannot list for ever. */
const MAX_PAGES = 100
/** Largest list, in bytes of JSON: it is kept in the store as a whole, and read by every hub. */
const MAX_LIST_BYTES = 8 * 1024 ** 2

/** How one kind of offers is listed over MCP and over the native surface. */
export interface OfferListing<Offer> {
  readonly kind: OfferKind
  readonly method: string
  /** The member of the result that holds the list. */
  readonly member: string
  /** The member of an offer that names it. */
  readonly nameMember: string
  /** @throws AnswerShapeError */
  parse(value: unknown): Offer
  nameOf(offer: Offer): string
  readonly maxOffers: number
  /**
   * Whether a longer list is broken, or has the rest left away: what grows by itself, as reports do, can still be read by a
   * template.
   */
  readonly isCut: boolean
}

/** A longer list of tools is broken: a tool that is left away could not be called. */
export const TOOLS: OfferListing<Tool> = {
  kind: 'tool',
  method: 'tools/list',
  member: 'tools',
  nameMember: 'name',
  parse: parseTool,
  nameOf: ({ name }) => name,
  maxOffers: 1_000,
  isCut: false,
}

/** How an agent's resources are listed. */
export const RESOURCES: OfferListing<Resource> = {
  kind: 'resource',
  method: 'resources/list',
  member: 'resources',
  nameMember: 'uri',
  parse: parseResource,
  nameOf: ({ uri }) => uri,
  maxOffers: 200,
  isCut: true,
}

/** How an agent's templates of resources are listed. */
export const RESOURCE_TEMPLATES: OfferListing<ResourceTemplate> = {
  kind: 'resourceTemplate',
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  nameMember: 'uriTemplate',
  parse: parseResourceTemplate,
  nameOf: ({ uriTemplate }) => uriTemplate,
  maxOffers: 200,
  isCut: true,
}

/** How an agent's prompts are listed. */
export const PROMPTS: OfferListing<Prompt> = {
  kind: 'prompt',
  method: 'prompts/list',
  member: 'prompts',
  nameMember: 'name',
  parse: parsePrompt,
  nameOf: ({ name }) => name,
  maxOffers: 200,
  isCut: true,
}

/** One page of a list. */
export type FetchPage = (cursor: string | undefined) => Promise<unknown>

/** Why an offer cannot be used although its shape is right; undefined where it can. */
export type FindFault<Offer> = (offer: Offer, listed: JsonObject) => string | undefined

/**
 * Collects the pages of a list. What is broken is refused alone, with its reason.
 * @throws BrokenAnswerError when the list as a whole is broken; what `fetchPage` throws
 */
export async function collectOffers<Offer>(
  listing: OfferListing<Offer>,
  fetchPage: FetchPage,
  findFault: FindFault<Offer> = () => undefined,
): Promise<OfferList<Offer>> {
  const { kind, maxOffers, isCut, nameMember } = listing
  const offers = new Map<string, Offer>()
  const refused: RefusedOffer[] = []
  let count = 0
  let bytes = 0
  for await (const value of listAll(listing, fetchPage)) {
    bytes += Buffer.byteLength(JSON.stringify(value))
    if (++count > maxOffers || bytes > MAX_LIST_BYTES) {
      const limit = count > maxOffers ? maxOffers : `${MAX_LIST_BYTES} bytes of`
      if (!isCut) throw new BrokenAnswerError(`the agent lists more than ${limit} ${listing.member}`)
      refused.push({
        kind,
        reason: `${listing.method} has more than ${limit} ${listing.member}; the first ${count - 1} are offered`,
      })
      break
    }
    const reason = addOffer(listing, offers, value, findFault)
    if (reason === undefined) continue
    const name = isJsonObject(value) ? value[nameMember] : undefined
    refused.push({ kind, ...(typeof name === 'string' ? { name } : {}), reason })
  }
  return { offers: [...offers.values()], refused }
}

/** The reason why an offer is refused, where it is. */
function addOffer<Offer>(
  { parse, nameOf }: OfferListing<Offer>,
  offers: Map<string, Offer>,
  value: unknown,
  findFault: FindFault<Offer>,
): string | undefined {
  let offer: Offer
  try {
    offer = parse(value)
  } catch (thrown) {
    if (!(thrown instanceof AnswerShapeError)) throw thrown
    return isJsonObject(value) ? `its ${thrown.path} must be ${thrown.expected}` : 'it is no object'
  }
  const name = nameOf(offer)
  if (offers.has(name)) return 'the agent lists it twice'
  // What was parsed was an object.
  const fault = findFault(offer, value as JsonObject)
  if (fault === undefined) offers.set(name, offer)
  return fault
}

async function* listAll<Offer>({ method, member }: OfferListing<Offer>, fetchPage: FetchPage): AsyncGenerator {
  const seenCursors = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await fetchPage(cursor)
    const list = isJsonObject(page) ? page[member] : undefined
    if (!isJsonObject(page) || !Array.isArray(list)) {
      throw new BrokenAnswerError(`the result of ${method} has no ${member}`)
    }
    yield* list
    cursor = readCursor(method, page, seenCursors)
  } while (cursor !== undefined)
}

function readCursor(method: string, { nextCursor }: JsonObject, seenCursors: Set<string>): string | undefined {
  if (nextCursor === undefined) return undefined
  if (typeof nextCursor !== 'string') throw new BrokenAnswerError(`the nextCursor of ${method} is no text`)
  if (seenCursors.has(nextCursor)) throw new BrokenAnswerError(`the pages of ${method} go round in a circle`)
  if (seenCursors.size + 1 >= MAX_PAGES) throw new BrokenAnswerError(`${method} has more than ${MAX_PAGES} pages`)
  seenCursors.add(nextCursor)
  return nextCursor
}
