import type { Principal } from '@synchub/auth'
import { type CallRequest, placeOf } from '@synchub/core'
import {
  AGENT_NAME_RULE,
  isAgentName,
  isJsonObject,
  isToolName,
  isTraceId,
  type JsonObject,
  TOOL_NAME_RULE,
  TRACE_ID_RULE,
  toW3cTraceId,
  traceIdOfTraceparent,
} from '@synchub/protocol'
import type { HubContext } from '../hub-context.js'
import { checkedName, optionalName, readIdempotencyKey } from './checked-name.js'
import { createTraceId } from './trace-id.js'

/** JSON Schema of the parameters of `tools/call` (S0.2); the rules for names come after it. */
export const TOOL_CALL_PARAMS: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    arguments: { type: 'object' },
    _meta: {
      type: 'object',
      properties: {
        traceId: { type: 'string' },
        callerAgent: { type: 'string' },
        targetAgent: { type: 'string' },
        timeoutMs: { type: 'number', exclusiveMinimum: 0 },
        idempotencyKey: { type: 'string' },
        parentCallId: { type: 'string' },
      },
    },
  },
}

/** What of a request belongs to a call beside its parameters. */
export interface CallSender {
  readonly principal: Principal
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string | undefined
  /** The `traceparent` header. */
  readonly traceparent: string | undefined
}

/** A decoded `tools/call`: the request for the pipeline, and how long this caller waits for a JSON answer. */
export interface ToolCall {
  readonly request: CallRequest
  readonly waitMs: number
  /** Instant (ms) by which the caller wants its answer. */
  readonly answerByMs: number
  /** How long it waits by its own wish, as far as the hub allows; undefined where it names nothing. */
  readonly timeoutMs: number | undefined
  /** The trace as the caller's own tracing names it (W3C Trace Context). */
  readonly w3cTraceId: string | undefined
}

/**
 * Decodes the parameters of `tools/call`, which have passed {@link TOOL_CALL_PARAMS}.
 * @throws HubError INVALID_PARAMS naming path and expectation
 */
export function decodeToolCall(params: JsonObject, sender: CallSender, { config, clock }: HubContext): ToolCall {
  const { limits } = config
  const meta = isJsonObject(params._meta) ? params._meta : {}
  const name = checkedName('name', params.name, isToolReference, TOOL_REFERENCE_RULE)
  const namedTrace = optionalName('_meta.traceId', meta.traceId, isTraceId, TRACE_ID_RULE)
  const callerAgent = optionalName('_meta.callerAgent', meta.callerAgent, isAgentName, AGENT_NAME_RULE)
  const targetAgent = optionalName('_meta.targetAgent', meta.targetAgent, isAgentName, AGENT_NAME_RULE)
  const idempotencyKey = readIdempotencyKey({
    path: '_meta.idempotencyKey',
    inBody: meta.idempotencyKey,
    inHeader: sender.idempotencyKey,
  })
  const named = typeof meta.parentCallId === 'string' ? meta.parentCallId : undefined
  const place = placeOf(sender.principal, { traceId: namedTrace, parentCallId: named })
  const w3cTraceId = traceIdOfTraceparent(meta.traceparent ?? sender.traceparent)
  const traceId = place.traceId ?? w3cTraceId ?? createTraceId()
  const timeoutMs = typeof meta.timeoutMs === 'number' ? Math.min(meta.timeoutMs, limits.maxWaitMs) : undefined
  const waitMs = timeoutMs ?? limits.defaultWaitMs
  const answerByMs = clock.now() + waitMs
  return {
    request: {
      principal: sender.principal,
      answerByMs,
      name,
      arguments: isJsonObject(params.arguments) ? params.arguments : {},
      traceId,
      ...(w3cTraceId === undefined || toW3cTraceId(traceId) !== undefined ? {} : { w3cTraceId }),
      ...(callerAgent === undefined ? {} : { callerAgent }),
      ...(targetAgent === undefined ? {} : { targetAgent }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(place.parentCallId === undefined ? {} : { parentCallId: place.parentCallId }),
    },
    waitMs,
    answerByMs,
    timeoutMs,
    w3cTraceId,
  }
}

const TOOL_REFERENCE_RULE = `${TOOL_NAME_RULE}, or Agent.tool`

/** A tool's name may be as long as it may, also behind the name of its agent. */
function isToolReference(value: unknown): value is string {
  if (isToolName(value)) return true
  const [, agentName, toolName] = /^([^.]*)\.(.*)$/.exec(String(value)) ?? []
  return isAgentName(agentName) && isToolName(toolName)
}
