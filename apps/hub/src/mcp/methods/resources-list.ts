import { listResources } from '@synchub/core'
import type { HubContext } from '../../hub-context.js'
import { cursorIn, pageOf } from '../../offers/list-page.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'
import { LIST_CACHE, LIST_PARAMS } from '../offer-lists.js'

/** `resources/list`: the resources of all agents that the caller may read, ordered by URI, in pages. */
export function resourcesList({ catalogue, config }: HubContext): McpMethod {
  return mcpMethod({
    name: 'resources/list',
    eras: EVERY_ERA,
    params: LIST_PARAMS,
    cache: LIST_CACHE,
    handle(params, { principal }) {
      const resources = listResources(catalogue.current(), config, principal)
      const { items, ...rest } = pageOf(resources, ({ uri }) => uri, cursorIn(params))
      return { kind: 'complete', result: { resources: items, ...rest } }
    },
  })
}
