import type { Principal } from '@synchub/auth'
import { resolveResource } from '@synchub/core'
import { HubError, MAX_URI_CHARS, ResourceMissing, type ResourceReading } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import { isTraceUri, readTraceResource } from '../../offers/trace-resource.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'

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
    async handle(params, { principal, gone }) {
      const uri = String(params.uri)
      try {
        return { kind: 'complete', result: { ...(await read(uri, principal, gone, context)) } }
      } catch (thrown) {
        const isMissing = thrown instanceof HubError && thrown.code === 'NOT_FOUND'
        throw isMissing ? new ResourceMissing(uri) : thrown
      }
    },
  })
}

async function read(
  uri: string,
  principal: Principal,
  gone: AbortSignal,
  context: HubContext,
): Promise<ResourceReading> {
  if (isTraceUri(uri)) return readTraceResource(uri, principal, context)
  const { catalogue, config, offers } = context
  const { agent, name } = resolveResource(uri, { catalogue: catalogue.current(), config, principal })
  return offers.read(agent.name, gone, (reader, signal) => reader.readResource(name, signal))
}
