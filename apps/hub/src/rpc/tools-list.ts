import { listTools } from '@synchub/core'
import type { HubContext } from '../hub-context.js'
import { cursorIn, pageOf } from '../offers/list-page.js'
import { type RpcMethod, rpcMethod } from './rpc-method.js'

/** `tools/list`: the tools that the caller may use, ordered by name, in pages. */
export function toolsList({ catalogue, config }: HubContext): RpcMethod {
  return rpcMethod({
    name: 'tools/list',
    params: { type: 'object', properties: { cursor: { type: 'string' } } },
    async handle(params, { principal }) {
      const tools = listTools(catalogue.current(), config, principal)
      const { items, ...rest } = pageOf(tools, ({ name }) => name, cursorIn(params))
      return { kind: 'result', result: { tools: items, ...rest } }
    },
  })
}
