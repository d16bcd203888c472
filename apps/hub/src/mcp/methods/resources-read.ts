import { type ResourceAnswer, resolveResource } from '@synchub/core'
import { HubError, MAX_URI_CHARS, ResourceMissing } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import { readTraceResource } from '../../offers/trace-resource.js'
import { isTraceUri } from '../../offers/trace-uri.js'
import { askable, askBeforeRead, type HeldInput, takeHeldInput } from '../input/held-request.js'
import { EVERY_ERA, type McpCall, type McpMethod, mcpMethod } from '../mcp-method.js'

/** What a resource holds may be another thing by the next read. */
const TTL_MS = 0

/**
 * `resources/read`: a trace, or what the agent has whose resource the URI is. Contents are passed on as the agent sent them, under
 * the agent's own URI. Text in them is data (invariant 12).
 */
export function resourcesRead(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'resources/read',
    eras: EVERY_ERA,
    params: {
      type: 'object',
      required: ['uri'],
      // Long enough for any agent's own URI behind `agent://<Agent>/`.
      properties: { uri: { type: 'string', minLength: 1, maxLength: MAX_URI_CHARS + 128 } },
    },
    cache: { scope: 'private', ttlMs: TTL_MS },
    async handle(params, call) {
      const uri = String(params.uri)
      const request = { method: 'resources/read', uri }
      const input = await takeHeldInput(request, params, call, context)
      try {
        const answer = await read(uri, input, call, context)
        if ('resultType' in answer) return await askBeforeRead(request, answer, call, context)
        return { kind: 'complete', result: { ...answer } }
      } catch (thrown) {
        const isMissing = thrown instanceof HubError && thrown.code === 'NOT_FOUND'
        throw isMissing ? new ResourceMissing(uri) : thrown
      }
    },
  })
}

async function read(
  uri: string,
  input: HeldInput | undefined,
  call: McpCall,
  context: HubContext,
): Promise<ResourceAnswer> {
  const { principal, gone } = call
  if (isTraceUri(uri)) return readTraceResource(uri, principal, context)
  const { catalogue, config, offers } = context
  const { agent, name } = resolveResource(uri, { catalogue: catalogue.current(), config, principal })
  return offers.read(agent.name, gone, (reader, signal) =>
    reader.readResource({ uri: name, ...askable(call, input) }, signal),
  )
}
