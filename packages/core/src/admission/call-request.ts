import type { Principal } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import type { CarriedHeaders } from '../run/carried-headers.js'

/** One `tools/call`, whatever surface it came by: every surface decodes into this (design section 3). */
export interface CallRequest {
  readonly principal: Principal
  /** `tool`, or `Agent.tool`. */
  readonly name: string
  readonly arguments: JsonObject
  readonly traceId: string
  /** The trace as the caller's own tracing names it (W3C Trace Context), where the traceId is no such name. */
  readonly w3cTraceId?: string
  /** The agent that the caller says it is. */
  readonly callerAgent?: string
  readonly targetAgent?: string
  /** The deployment of the public path that the request came by (S1.2). */
  readonly deployment?: string
  readonly idempotencyKey?: string
  /** Instant (ms) until which its caller waits while another request with its key is being recorded; absent for as long as that takes. */
  readonly answerByMs?: number
  /** The call that the caller works on while it makes this one; of the same trace. */
  readonly parentCallId?: string
  /** The call that this one runs again; of the same tenant, and seen by the principal. */
  readonly originCallId?: string
  /** How long the caller of a task wants to read it after it was made, in ms. */
  readonly taskTtlMs?: number
  /** What the caller can be asked while the call goes on (MCP `ClientCapabilities`). */
  readonly inputCapabilities?: JsonObject
  /** What the agent of a direct call is sent along; never recorded. */
  readonly carried?: CarriedHeaders
}
