import type { OutgoingHttpHeaders } from 'node:http'
import type { Principal } from '@synchub/auth'
import type { SchemaCheck, StopSignal } from '@synchub/core'
import { HubError, type JsonObject } from '@synchub/protocol'
import type { CallerHeaders } from './caller-headers.js'

/** One request on a public path, beside its parameters. */
export interface PathCall {
  readonly principal: Principal
  readonly headers: CallerHeaders
  /** Aborts when the client is gone; it stops the waiting, never the call. */
  readonly disconnected: StopSignal
}

/** How a request is answered that was not refused. */
export interface PathReply {
  readonly result: JsonObject
  readonly headers?: OutgoingHttpHeaders
}

/** One method of a public path. */
export interface PathMethod {
  readonly name: string
  /** Where its failures point to (RFC 9457 `instance`). */
  instance(params: JsonObject): string
  /** @throws HubError when the request fails before any tool ran */
  handle(params: JsonObject, call: PathCall): Promise<PathReply>
}

/** Holds parameters to their schema. @throws HubError INVALID_PARAMS naming path and expectation */
export function checkParams(check: SchemaCheck, params: JsonObject): void {
  const violation = check(params)
  if (violation === undefined) return
  const { path, expected, reason } = violation
  throw new HubError('INVALID_PARAMS', reason, { path, expected })
}
