import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { compileOwnSchema, type StopSignal } from '@synchub/core'
import { HubError, type JsonObject, type RequestId } from '@synchub/protocol'
import type { CallSender } from '../calls/decode-tool-call.js'
import type { Acceptance } from '../http/accept.js'

/** One request on `POST /rpc`, beside its parameters. */
export interface RpcCall extends CallSender {
  readonly id: RequestId
  readonly headers: IncomingHttpHeaders
  readonly acceptance: Acceptance
  /** `Prefer: respond-async` (RFC 7240). */
  readonly prefersAsync: boolean
  /** One of several requests in a batch: it is answered as JSON in any case. */
  readonly inBatch: boolean
  /** Aborts when the client is gone; it stops the waiting, never the call. */
  readonly disconnected: StopSignal
}

/** How a request is answered. */
export type RpcReply =
  | {
      readonly kind: 'result'
      readonly result: unknown
      readonly status?: number
      readonly headers?: OutgoingHttpHeaders
    }
  /** The response itself becomes the call's event stream. */
  | { readonly kind: 'stream'; open(res: ServerResponse): Promise<void> }

/** One method of the native surface. */
export interface RpcMethod {
  readonly name: string
  /** Where its failures point to (RFC 9457 `instance`). */
  instance(params: JsonObject): string
  /** @throws HubError */
  handle(params: JsonObject, call: RpcCall): Promise<RpcReply>
}

/** A method whose parameters are checked against a schema before it is entered. */
export function rpcMethod(method: {
  readonly name: string
  readonly params: JsonObject
  readonly instance?: (params: JsonObject) => string
  handle(params: JsonObject, call: RpcCall): Promise<RpcReply>
}): RpcMethod {
  const check = compileOwnSchema(method.params)
  return {
    name: method.name,
    instance: method.instance ?? (() => `/rpc/${method.name}`),
    async handle(params, call) {
      const violation = check(params)
      if (violation !== undefined) {
        const { path, expected, reason } = violation
        throw new HubError('INVALID_PARAMS', reason, { path, expected })
      }
      return method.handle(params, call)
    },
  }
}
