import { timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Principal } from '@synchub/auth'
import { type CallRecord, type CallRequest, isCallId, pendingRequests, type Question } from '@synchub/core'
import { findUndeclaredInput, HubError, isJsonObject, type JsonObject, missingCapability } from '@synchub/protocol'
import { traceparentOfCall } from '../../calls/call-answer.js'
import type { SubmittedCall } from '../../calls/call-desk.js'
import type { HubContext } from '../../hub-context.js'
import type { McpCall, McpOutcome } from '../mcp-method.js'

/**
 * The call that a `requestState` goes on with. The state is no more than the name of a round, which only the store can tell: it
 * holds for the caller that was asked, for the same tool and arguments, and until something was answered.
 * @throws HubError INVALID_PARAMS, the same for every state that does not hold
 */
export async function findPausedCall(
  requestState: string,
  request: CallRequest,
  { store }: HubContext,
): Promise<CallRecord> {
  const [callId = '', ticket = '', ...more] = requestState.split('.')
  const call = more.length === 0 && isCallId(callId) ? await store.log.find(callId) : null
  if (
    call !== null &&
    isOfPrincipal(call, request.principal) &&
    isSameRound(call, ticket) &&
    isSameCall(call, request)
  ) {
    return call
  }
  const place = { path: 'requestState', expected: 'the state of a request that waits for input' }
  throw new HubError('INVALID_PARAMS', 'the requestState is not that of a request that waits for input', place)
}

/** Gives a paused call its answers. @returns the call that goes on, or the question for what is still to be answered */
export async function resumeCall(
  call: CallRecord,
  inputResponses: unknown,
  request: McpCall,
  { calls }: HubContext,
): Promise<SubmittedCall | McpOutcome> {
  const answering = await calls.answer(call, isJsonObject(inputResponses) ? inputResponses : {})
  if (answering.kind === 'incomplete') return askFor(call, answering.question, request)
  if (answering.kind === 'not-asked') {
    const place = { path: 'requestState', expected: 'the state of a request that waits for input' }
    throw new HubError('INVALID_PARAMS', 'the request was answered meanwhile', place)
  }
  const { callId, trace, mode } = call
  return { callId, trace, mode, replayed: false, wait: (signal) => calls.wait(callId, signal) }
}

/**
 * Asks the caller what the agent asks.
 * @throws RevisionError where this very request does not declare that it can be answered
 */
export function askFor(
  { callId, trace }: Pick<CallRecord, 'callId' | 'trace'>,
  question: Question,
  { clientCapabilities }: McpCall,
): McpOutcome {
  const inputRequests = pendingRequests(question)
  const undeclared = findUndeclaredInput(inputRequests, clientCapabilities)
  if (undeclared !== undefined) throw missingCapability(Object.keys(undeclared).join(', '), undeclared)
  const { traceId } = trace
  const traceparent = traceparentOfCall({ callId, traceId, w3cTraceId: undefined })
  const meta: JsonObject = { callId, traceId, ...(traceparent === undefined ? {} : { traceparent }) }
  return { kind: 'input', inputRequests, requestState: `${callId}.${question.ticket}`, meta }
}

function isOfPrincipal({ trace }: CallRecord, { tenant, subject }: Principal): boolean {
  return trace.tenant === tenant && trace.owner === subject
}

function isSameRound({ state, question }: CallRecord, ticket: string): boolean {
  if (state !== 'awaiting_input' || question === undefined) return false
  const [expected, given] = [Buffer.from(question.ticket), Buffer.from(ticket)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function isSameCall({ agent, tool, arguments: args }: CallRecord, { name, arguments: given }: CallRequest): boolean {
  return (name === tool || name === `${agent}.${tool}`) && isDeepStrictEqual(args, given)
}
