import { type OfferScene, type ResolvedOffer, resolvePrompt, resolveTemplate } from '@synchub/core'
import {
  type Completion,
  type CompletionQuery,
  type CompletionRef,
  HubError,
  isJsonObject,
  type JsonObject,
} from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import { completeTraceId, TRACE_TEMPLATE } from '../../offers/trace-resource.js'
import { EVERY_ERA, type McpCall, type McpMethod, mcpMethod } from '../mcp-method.js'

const TEXT = { type: 'string' }

const PARAMS = {
  type: 'object',
  required: ['ref', 'argument'],
  properties: {
    ref: {
      type: 'object',
      required: ['type'],
      properties: { type: { enum: ['ref/prompt', 'ref/resource'] }, name: TEXT, uri: TEXT },
    },
    argument: { type: 'object', required: ['name', 'value'], properties: { name: TEXT, value: TEXT } },
    context: {
      type: 'object',
      properties: { arguments: { type: 'object', additionalProperties: TEXT } },
    },
  },
}

const NO_VALUES: Completion = { values: [], total: 0, hasMore: false }

/** `completion/complete`: values for an argument of a prompt or of a template, from its agent; traceIds from the hub itself. */
export function completionComplete(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'completion/complete',
    eras: EVERY_ERA,
    params: PARAMS,
    async handle(params, call) {
      return { kind: 'complete', result: { completion: await complete(readQuery(params), call, context) } }
    },
  })
}

async function complete(query: CompletionQuery, call: McpCall, context: HubContext): Promise<Completion> {
  const { ref, argument } = query
  const { principal, gone } = call
  if (ref.type === 'ref/resource' && ref.uri === TRACE_TEMPLATE.uriTemplate) {
    return argument.name === 'traceId' ? completeTraceId(argument.value, principal, context) : NO_VALUES
  }
  const { catalogue, config, offers } = context
  const scene = { catalogue: catalogue.current(), config, principal }
  const { agent, name } = resolveRef(ref, scene)
  const own: CompletionRef = ref.type === 'ref/prompt' ? { type: ref.type, name } : { type: ref.type, uri: name }
  return offers.read(agent.name, gone, (reader, signal) => reader.complete({ ...query, ref: own }, signal))
}

/** @throws HubError FORBIDDEN, INVALID_PARAMS also where there is no such prompt or template: here it is but a parameter */
function resolveRef(ref: CompletionRef, scene: OfferScene): ResolvedOffer {
  try {
    return ref.type === 'ref/prompt' ? resolvePrompt(ref.name, scene) : resolveTemplate(ref.uri, scene)
  } catch (thrown) {
    if (!(thrown instanceof HubError) || thrown.code !== 'NOT_FOUND') throw thrown
    const [path, expected] =
      ref.type === 'ref/prompt'
        ? ['ref.name', 'a prompt of prompts/list']
        : ['ref.uri', 'a template of resources/templates/list']
    throw new HubError('INVALID_PARAMS', thrown.reason, { path, expected })
  }
}

/** @throws HubError INVALID_PARAMS when the ref does not say what it is to */
function readQuery({ ref, argument, context }: JsonObject): CompletionQuery {
  const { name, value } = isJsonObject(argument) ? argument : {}
  const known = isJsonObject(context) && isJsonObject(context.arguments) ? { context: context.arguments } : {}
  return { ref: readRef(ref), argument: { name: String(name), value: String(value) }, ...known }
}

function readRef(value: unknown): CompletionRef {
  const { type, name, uri } = isJsonObject(value) ? value : {}
  if (type === 'ref/prompt' && typeof name === 'string') return { type, name }
  if (type === 'ref/resource' && typeof uri === 'string') return { type, uri }
  const path = type === 'ref/prompt' ? 'ref.name' : 'ref.uri'
  throw new HubError('INVALID_PARAMS', `${path} must be a string`, { path, expected: 'string' })
}
