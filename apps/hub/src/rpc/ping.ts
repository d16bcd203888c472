import { type RpcMethod, rpcMethod } from './rpc-method.js'

/** `ping`: answers an empty object. */
export function ping(): RpcMethod {
  return rpcMethod({
    name: 'ping',
    params: { type: 'object' },
    async handle() {
      return { kind: 'result', result: {} }
    },
  })
}
