import { resolvePrompt } from '@synchub/core'
import { HubError, isJsonObject, NameUnknown } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import { askable, askBeforeRead, takeHeldInput } from '../input/held-request.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'

/** `prompts/get`: a prompt as its agent fills it. Its text may be foreign, and is the agent's, not the hub's (S4.2). */
export function promptsGet(context: HubContext): McpMethod {
  return mcpMethod({
    name: 'prompts/get',
    eras: EVERY_ERA,
    params: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        arguments: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    async handle(params, call) {
      const { catalogue, config, offers } = context
      const { principal, gone } = call
      const { name: asked, arguments: args } = params
      const wanted = String(asked)
      const request = { method: 'prompts/get', name: wanted, ...(isJsonObject(args) ? { arguments: args } : {}) }
      const input = await takeHeldInput(request, params, call, context)
      try {
        const { agent, name } = resolvePrompt(wanted, { catalogue: catalogue.current(), config, principal })
        const query = {
          name,
          ...(isJsonObject(args) ? { arguments: args } : {}),
          ...askable(call, input),
        }
        const filled = await offers.read(agent.name, gone, (reader, signal) => reader.getPrompt(query, signal))
        if ('resultType' in filled) return await askBeforeRead(request, filled, call, context)
        return { kind: 'complete', result: { ...filled } }
      } catch (thrown) {
        const isMissing = thrown instanceof HubError && thrown.code === 'NOT_FOUND'
        throw isMissing ? new NameUnknown('prompt', wanted, thrown) : thrown
      }
    },
  })
}
