import { listPrompts } from '@synchub/core'
import type { HubContext } from '../../hub-context.js'
import { cursorIn, pageOf } from '../../offers/list-page.js'
import { EVERY_ERA, type McpMethod, mcpMethod } from '../mcp-method.js'
import { LIST_CACHE, LIST_PARAMS } from '../offer-lists.js'

/** `prompts/list`: the prompts of all agents that the caller may use, ordered by name, in pages. */
export function promptsList({ catalogue, config }: HubContext): McpMethod {
  return mcpMethod({
    name: 'prompts/list',
    eras: EVERY_ERA,
    params: LIST_PARAMS,
    cache: LIST_CACHE,
    handle(params, { principal }) {
      const prompts = listPrompts(catalogue.current(), config, principal)
      const { items, ...rest } = pageOf(prompts, ({ name }) => name, cursorIn(params))
      return { kind: 'complete', result: { prompts: items, ...rest } }
    },
  })
}
