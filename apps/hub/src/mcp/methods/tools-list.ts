import type { Era, JsonObject, ListedTool } from '@synchub/protocol'
import type { OfferedTools } from '../../calls/offered-tools.js'
import { pageOfTools } from '../../calls/tool-page.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'

/** Short, since clients that do not listen for changes learn of them only then. */
const TTL_MS = 10_000

/** `tools/list`: the tools that the caller may use, ordered by name, in pages. */
export function toolsList(offered: OfferedTools): McpMethod {
  return mcpMethod({
    name: 'tools/list',
    eras: EVERY_ERA,
    params: { type: 'object', properties: { cursor: { type: 'string' } } },
    cache: { scope: 'private', ttlMs: TTL_MS },
    handle({ cursor }, { era, principal }) {
      const page = pageOfTools(offered.listFor(principal), typeof cursor === 'string' ? cursor : undefined)
      return { kind: 'complete', result: { ...page, tools: page.tools.map((tool) => toEraTool(era, tool)) } }
    },
  })
}

/**
 * A client of the legacy era takes an outputSchema only for an object, and drops the whole list for any other. It asks for tasks
 * itself, where a tool says that it may.
 */
function toEraTool(era: Era, tool: ListedTool): JsonObject {
  if (era === 'modern') return { ...tool }
  const { outputSchema, ...rest } = tool
  return {
    ...rest,
    ...(outputSchema?.type === 'object' ? { outputSchema } : {}),
    ...(tool._meta.mode === 'queued' ? { execution: { taskSupport: 'optional' } } : {}),
  }
}
