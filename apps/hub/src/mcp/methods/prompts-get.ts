import { resolvePrompt } from '@synchub/core'
import { HubError, isJsonObject, NameUnknown } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
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
    async handle({ name: asked, arguments: args }, { principal, gone }) {
      const { catalogue, config, offers } = context
      const wanted = String(asked)
      try {
        const { agent, name } = resolvePrompt(wanted, { catalogue: catalogue.current(), config, principal })
        const query = { name, ...(isJsonObject(args) ? { arguments: args } : {}) }
        const filled = await offers.read(agent.name, gone, (reader, signal) => reader.getPrompt(query, signal))
        return { kind: 'complete', result: { ...filled } }
      } catch (thrown) {
        const isMissing = thrown instanceof HubError && thrown.code === 'NOT_FOUND'
        throw isMissing ? new NameUnknown('prompt', wanted, thrown) : thrown
      }
    },
  })
}
