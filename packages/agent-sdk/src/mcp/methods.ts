import { type CacheScope, type Era, HubError, type JsonObject, NameUnknown, ResourceMissing } from '@synchub/protocol'
import type { Agent } from '../agent/definition.js'
import { complete, completesAnything } from '../completion/answer.js'
import { listResources, listTemplates, readResource } from '../resources/collection.js'
import type { ReadContext } from '../resources/read-context.js'
import { cacheable, discover, negotiate } from './server-identity.js'

/** What a method works on. */
export interface MethodCall {
  readonly agent: Agent
  readonly era: Era
  readonly params: JsonObject
  readonly ctx: ReadContext
}

type Method = (call: MethodCall) => JsonObject | Promise<JsonObject>

const SHARED: Readonly<Record<string, Method>> = {
  'tools/list': ({ agent, era, params }) => {
    refuseCursor(params)
    const tools = [...agent.tools.values()].map(({ listing }) => (era === 'legacy' ? forLegacy(listing) : listing))
    return { tools, ...hints(era, 'public') }
  },
  'prompts/list': ({ agent, era, params }) => {
    refuseCursor(params)
    return { prompts: [...agent.prompts.values()].map(({ listing }) => listing), ...hints(era, 'public') }
  },
  'prompts/get': async ({ agent, params, ctx }) => {
    const prompt = agent.prompts.get(readText(params, 'name'))
    if (prompt === undefined) throw unknownPrompt(String(params.name))
    return prompt.get(params.arguments, ctx)
  },
  'resources/list': async ({ agent, era, params, ctx }) => {
    const cursor = params.cursor === undefined ? undefined : readText(params, 'cursor')
    return { ...(await listResources(agent.resources, cursor, ctx)), ...hints(era, 'private') }
  },
  'resources/templates/list': ({ agent, era, params }) => {
    refuseCursor(params)
    return { resourceTemplates: listTemplates(agent.resources), ...hints(era, 'public') }
  },
  'resources/read': async ({ agent, era, params, ctx }) => {
    const uri = readText(params, 'uri')
    const content = await readResource(agent.resources, uri, ctx)
    if (content === undefined) throw new ResourceMissing(uri)
    return { contents: [content], ...hints(era, 'private') }
  },
  'completion/complete': async ({ agent, params, ctx }) => ({ completion: await complete(agent, params, ctx) }),
}

const BY_ERA: Readonly<Record<Era, ReadonlyMap<string, Method>>> = {
  legacy: new Map<string, Method>([
    ...Object.entries(SHARED),
    ['initialize', ({ agent, params }) => negotiate(agent, params)],
    ['ping', () => ({})],
  ]),
  modern: new Map<string, Method>([...Object.entries(SHARED), ['server/discover', ({ agent }) => discover(agent)]]),
}

/**
 * Answers every method but `tools/call`.
 * @throws HubError METHOD_NOT_FOUND for one that this era does not have, or that this agent offers nothing for
 */
export async function answerMethod(method: string, call: MethodCall): Promise<JsonObject> {
  const answer = isOffered(method, call.agent) ? BY_ERA[call.era].get(method) : undefined
  if (answer === undefined) throw new HubError('METHOD_NOT_FOUND', `the method ${method} does not exist here`)
  return answer(call)
}

function isOffered(method: string, agent: Agent): boolean {
  if (method.startsWith('prompts/')) return agent.prompts.size > 0
  if (method.startsWith('resources/')) return agent.resources.length > 0
  return !method.startsWith('completion/') || completesAnything(agent)
}

/**
 * A result that may be sent: one that is too large is a slip of its author, told to the log and not to the reader.
 * @throws Error naming both sizes
 */
export function boundResult(result: JsonObject, maxBytes: number): JsonObject {
  const bytes = Buffer.byteLength(JSON.stringify(result))
  if (bytes <= maxBytes) return result
  throw new Error(`the result is ${bytes} bytes of JSON, more than the ${maxBytes} that are sent`)
}

/** A client of the legacy era takes an outputSchema only for an object, and drops the whole list for any other. */
function forLegacy(listing: { readonly outputSchema?: JsonObject }): JsonObject {
  const isKept = listing.outputSchema === undefined || listing.outputSchema.type === 'object'
  return Object.fromEntries(Object.entries(listing).filter(([name]) => isKept || name !== 'outputSchema'))
}

function hints(era: Era, scope: CacheScope): JsonObject {
  return era === 'modern' ? cacheable(scope) : {}
}

/** Lists that fit on one page give no cursor, so every cursor is a wrong one. */
function refuseCursor({ cursor }: JsonObject): void {
  if (cursor !== undefined) throw invalid('cursor', 'absent', 'this list has one page')
}

function readText(params: JsonObject, name: string): string {
  const value = params[name]
  if (typeof value !== 'string') throw invalid(name, 'a string', `${name} must be a string`)
  return value
}

function unknownPrompt(name: string): NameUnknown {
  return new NameUnknown('prompt', name, new HubError('NOT_FOUND', `there is no prompt ${name}`))
}

function invalid(path: string, expected: string, reason: string): HubError {
  return new HubError('INVALID_PARAMS', reason, { path, expected })
}
