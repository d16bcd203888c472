import { listTools } from '@synchub/core'
import { HubError } from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'
import { type RpcMethod, rpcMethod } from './rpc-method.js'

const PAGE = 100

/** `tools/list`: the tools that the caller may use, ordered by name, in pages. */
export function toolsList({ catalogue, config }: HubContext): RpcMethod {
  return rpcMethod({
    name: 'tools/list',
    params: { type: 'object', properties: { cursor: { type: 'string' } } },
    async handle({ cursor }, { principal }) {
      const tools = listTools(catalogue.current(), config, principal)
      const start = typeof cursor === 'string' ? tools.findIndex(({ name }) => encodeCursor(name) === cursor) + 1 : 0
      if (cursor !== undefined && start === 0) {
        const place = { path: 'cursor', expected: 'nextCursor of an earlier page' }
        throw new HubError('INVALID_PARAMS', 'the cursor is not known; list again from the start', place)
      }
      const page = tools.slice(start, start + PAGE)
      const last = page.at(-1)
      const more = start + PAGE < tools.length && last !== undefined
      return { kind: 'result', result: { tools: page, ...(more ? { nextCursor: encodeCursor(last.name) } : {}) } }
    },
  })
}

function encodeCursor(name: string): string {
  return Buffer.from(name).toString('base64url')
}
