import { type Completion, HubError, isJsonObject, type JsonObject, MAX_COMPLETION_VALUES } from '@synchub/protocol'
import type { Agent } from '../agent/definition.js'
import type { ReadContext } from '../resources/read-context.js'
import type { Completers } from './completer.js'

/** Whether the agent completes anything at all. */
export function completesAnything({ prompts, resources }: Agent): boolean {
  return [...prompts.values(), ...resources].some(({ completers }) => Object.keys(completers).length > 0)
}

/**
 * The answer to `completion/complete`: no values for an argument that has no completer.
 * @throws HubError INVALID_PARAMS naming the place; what the completer throws
 */
export async function complete(agent: Agent, params: JsonObject, ctx: ReadContext): Promise<Completion> {
  const { argument, context = {} } = params
  const completers = findCompleters(agent, params.ref)
  if (!isJsonObject(argument)) throw invalid('argument', 'an object')
  const { name, value } = argument
  if (typeof name !== 'string') throw invalid('argument.name', 'a string')
  if (typeof value !== 'string') throw invalid('argument.value', 'a string')
  if (!isJsonObject(context)) throw invalid('context', 'an object')
  const completer = Object.hasOwn(completers, name) ? completers[name] : undefined
  if (completer === undefined) return { values: [], total: 0, hasMore: false }
  const all = await completer(value, { ...ctx, known: readKnown(context.arguments) })
  const values = all.slice(0, MAX_COMPLETION_VALUES)
  return { values, total: all.length, hasMore: values.length < all.length }
}

function findCompleters({ name: agentName, prompts, resources }: Agent, ref: unknown): Completers {
  const { type, name, uri } = isJsonObject(ref) ? ref : {}
  if (type === 'ref/prompt') {
    const prompt = prompts.get(String(name))
    if (prompt === undefined) throw invalid('ref.name', `a prompt of ${agentName}`)
    return prompt.completers
  }
  if (type === 'ref/resource') {
    const resource = resources.find(({ pattern }) => pattern.text === uri)
    if (resource === undefined) throw invalid('ref.uri', `a template of ${agentName}`)
    return resource.completers
  }
  throw invalid('ref.type', 'ref/prompt or ref/resource')
}

function readKnown(value: unknown): Record<string, string> {
  const texts = Object.entries(isJsonObject(value) ? value : {})
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function invalid(path: string, expected: string): HubError {
  return new HubError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
}
