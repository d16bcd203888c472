import { listResourceTemplates } from '@synchub/core'
import type { HubContext } from '../../hub-context.js'
import { cursorIn, pageOf } from '../../offers/list-page.js'
import { TRACE_TEMPLATE } from '../../offers/trace-resource.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'
import { LIST_CACHE, LIST_PARAMS } from '../offer-lists.js'

/** `resources/templates/list`: the hub's own template, then those of all agents that the caller may read, in pages. */
export function resourceTemplatesList({ catalogue, config }: HubContext): McpMethod {
  return mcpMethod({
    name: 'resources/templates/list',
    eras: EVERY_ERA,
    params: LIST_PARAMS,
    cache: LIST_CACHE,
    handle(params, { principal }) {
      const templates = [TRACE_TEMPLATE, ...listResourceTemplates(catalogue.current(), config, principal)]
      const { items, ...rest } = pageOf(templates, ({ uriTemplate }) => uriTemplate, cursorIn(params))
      return { kind: 'complete', result: { resourceTemplates: items, ...rest } }
    },
  })
}
