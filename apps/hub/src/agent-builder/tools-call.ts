import { compileOwnSchema } from '@synchub/core'
import { HubError, isToolName, type JsonObject } from '@synchub/protocol'
import { awaitAnswer } from '../calls/awaited-answer.js'
import type { SubmittedCall } from '../calls/call-desk.js'
import { callHeaders } from '../calls/call-headers.js'
import { decodeToolCall, TOOL_CALL_PARAMS, type ToolCall } from '../calls/decode-tool-call.js'
import { toHubFailure } from '../http/hub-fault.js'
import type { HubContext } from '../hub-context.js'
import { encodeFailure, encodeResult } from './call-result.js'
import type { Deployment } from './deployment.js'
import { pathKey } from './path-key.js'
import { checkParams, type PathCall, type PathMethod } from './path-method.js'

/** Time to record an end, on top of the longest run. */
const RECORDING_MS = 3000

const check = compileOwnSchema(TOOL_CALL_PARAMS)

/**
 * `tools/call` (S1.8): admitted and run like every call, and answered when it has ended. What fails before the tool is asked is an
 * error; whatever happens after that is a result (S1.9).
 */
export function toolsCall(deployment: Deployment, context: HubContext): PathMethod {
  return {
    name: 'tools/call',
    instance: ({ name }) => (isToolName(name) ? `/tools/call/${name}` : '/tools/call'),
    async handle(params, call) {
      checkParams(check, params)
      const decoded = decodeCall(params, call, deployment, context)
      if (!context.isServing()) throw new HubError('HUB_UNAVAILABLE', 'this hub is stopping and takes no new calls')
      await deployment.firstLook
      const begunAtMs = context.clock.now()
      const submitted = await context.calls.submit(decoded.request)
      return {
        result: await answer(submitted, decoded, call, begunAtMs, deployment, context),
        headers: callHeaders(submitted),
      }
    },
  }
}

/** The name is one of this deployment's as it stands, and so is the caller's key. */
function decodeCall(
  params: JsonObject,
  { principal, headers }: PathCall,
  { path }: Deployment,
  context: HubContext,
): ToolCall {
  if (!isToolName(params.name)) throw new HubError('METHOD_NOT_FOUND', 'there is no tool of this name')
  const { idempotencyKey, traceparent, carried } = headers
  const decoded = decodeToolCall(params, { principal, idempotencyKey, traceparent }, context)
  const deployment = path.agent.name
  const { idempotencyKey: key, ...request } = decoded.request
  return {
    ...decoded,
    request: {
      ...request,
      deployment,
      carried,
      ...(key === undefined ? {} : { idempotencyKey: pathKey(deployment, key, carried) }),
    },
  }
}

async function answer(
  submitted: SubmittedCall,
  { w3cTraceId }: ToolCall,
  { disconnected }: PathCall,
  begunAtMs: number,
  { path }: Deployment,
  context: HubContext,
): Promise<JsonObject> {
  const waitMs = path.agent.policy.maxDurationMs + RECORDING_MS
  try {
    return encodeResult(await awaitAnswer(submitted, { waitMs, gone: disconnected, w3cTraceId }, context))
  } catch (thrown) {
    const { callId, trace, replayed } = submitted
    const { traceId } = trace
    const failure = toHubFailure(thrown)
    if (failure !== thrown) context.logger.error({ err: thrown, callId, traceId }, 'the end of a call was not learned')
    return encodeFailure(failure, { callId, traceId, replayed }, context.clock.now() - begunAtMs)
  }
}
