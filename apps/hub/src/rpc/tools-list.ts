import { listTools } from '@synchub/core'
import { pageOfTools } from '../calls/tool-page.js'
import type { HubContext } from '../hub-context.js'
import { type RpcMethod, rpcMethod } from './rpc-method.js'

/** `tools/list`: the tools that the caller may use, ordered by name, in pages. */
export function toolsList({ catalogue, config }: HubContext): RpcMethod {
  return rpcMethod({
    name: 'tools/list',
    params: { type: 'object', properties: { cursor: { type: 'string' } } },
    async handle({ cursor }, { principal }) {
      const tools = listTools(catalogue.current(), config, principal)
      return { kind: 'result', result: pageOfTools(tools, typeof cursor === 'string' ? cursor : undefined) }
    },
  })
}
