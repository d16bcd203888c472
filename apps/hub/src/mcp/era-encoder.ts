import {
  cacheHints,
  type Era,
  encodeMcpError,
  type Frame,
  HubError,
  type JsonObject,
  type McpError,
  malformedStatusOf,
  mcpStatusOf,
  type RequestId,
  toModernResult,
} from '@synchub/protocol'
import type { McpMethod, McpOutcome } from './mcp-method.js'
import { SERVER_INFO } from './server-identity.js'
import { encodeNewTask, encodeTaskState } from './tasks/task-result.js'

type MalformedFrame = Extract<Frame, { kind: 'invalid' }>

/** A message with the HTTP status that it stands under, where it is the whole answer. */
export interface EncodedAnswer {
  readonly status: number
  readonly message: JsonObject
  readonly headers: Readonly<Record<string, string>>
}

/** The response of a request that succeeded, in the form of its era. */
export function encodeOutcome(era: Era, id: RequestId, outcome: McpOutcome, { cache }: McpMethod): EncodedAnswer {
  const result = resultOf(era, outcome)
  if (era === 'legacy') return { status: 200, message: { jsonrpc: '2.0', id, result }, headers: {} }
  // What is asked holds once.
  const isKept = cache !== undefined && outcome.kind === 'complete'
  const hinted = isKept ? { ...result, ...cacheHints(cache.scope, cache.ttlMs) } : result
  const message = { jsonrpc: '2.0', id, result: toModernResult(hinted, SERVER_INFO) }
  return { status: 200, message, headers: {} }
}

function resultOf(era: Era, outcome: McpOutcome): JsonObject {
  switch (outcome.kind) {
    case 'complete':
      return outcome.result
    case 'input': {
      const { inputRequests, requestState, meta } = outcome
      return { resultType: 'input_required', inputRequests, requestState, _meta: meta }
    }
    case 'task-made':
      return encodeNewTask(era, outcome.task, outcome.replayed)
    case 'task':
      return encodeTaskState(era, outcome.task)
  }
}

/** The response of a request that failed. An id that could not be read is left out: MCP knows no null. */
export function encodeFailure(era: Era, id: RequestId | null, error: McpError, instance: string): EncodedAnswer {
  const message = { jsonrpc: '2.0', ...(id === null ? {} : { id }), error: encodeMcpError(error, era, instance) }
  const scope = missingScope(error)
  if (scope === undefined) return { status: mcpStatusOf(error, era), message, headers: {} }
  const challenge = `Bearer realm="synchub", error="insufficient_scope", scope="${scope}"`
  return { status: 403, message, headers: { 'WWW-Authenticate': challenge } }
}

/** The response to what is no request. An answer to a request of ours, if that is what it was, is refused in both eras alike. */
export function encodeMalformed(era: Era, { id, error, response }: MalformedFrame): EncodedAnswer {
  // The id of an answer names a request of ours, if anything: it is not sent back.
  if (response !== undefined) return { ...encodeFailure(era, null, error, '/mcp'), status: 400 }
  return { ...encodeFailure(era, id, error, '/mcp'), status: malformedStatusOf(era) }
}

/** A session that is over: the revision wants this status, after which the client opens another one. */
export function encodeSessionOver(id: RequestId | null): EncodedAnswer {
  const error = new HubError('NOT_FOUND', 'there is no such MCP session', { nextStep: 'Send initialize again.' })
  return { ...encodeFailure('legacy', id, error, '/mcp'), status: 404 }
}

/** A refusal of HTTP itself: it has the status of its code in both eras, and answers no id. */
export function encodeTransportRefusal(error: HubError, instance: string): EncodedAnswer {
  const message = { jsonrpc: '2.0', error: encodeMcpError(error, 'legacy', instance) }
  return { status: error.definition.status, message, headers: {} }
}

/**
 * The scope that the principal lacks for the whole request (RFC 6750 section 3.1). A refusal that came out of a call is no matter of
 * HTTP: clients would take it for one of their own credentials.
 */
function missingScope(error: McpError): string | undefined {
  if (!('details' in error) || error.code !== 'FORBIDDEN') return undefined
  return error.details.callId === undefined ? error.details.scope : undefined
}
