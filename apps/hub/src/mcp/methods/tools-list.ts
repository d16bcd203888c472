import type { Era, JsonObject, ListedTool } from '@synchub/protocol'
import type { OfferedTools } from '../../calls/offered-tools.js'
import { cursorIn, pageOf } from '../../offers/list-page.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'
import { LIST_CACHE, LIST_PARAMS } from '../offer-lists.js'

/** `tools/list`: the tools that the caller may use, ordered by name, in pages. */
export function toolsList(offered: OfferedTools): McpMethod {
  return mcpMethod({
    name: 'tools/list',
    eras: EVERY_ERA,
    params: LIST_PARAMS,
    cache: LIST_CACHE,
    handle(params, { era, principal }) {
      const { items, ...rest } = pageOf(offered.listFor(principal), ({ name }) => name, cursorIn(params))
      return { kind: 'complete', result: { tools: items.map((tool) => toEraTool(era, tool)), ...rest } }
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
    ...(tool._meta.mode === 'queued'
      ? { execution: { taskSupport: tool._meta.taskOnly ? 'required' : 'optional' } }
      : {}),
  }
}
