import { timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Principal } from '@synchub/auth'
import {
  type CallRecord,
  type CallRequest,
  INPUT_WAIT_MS,
  isCallId,
  pendingRequests,
  type Question,
  type StateBinding,
} from '@synchub/core'
import {
  findUndeclaredInput,
  isJsonObject,
  type JsonObject,
  missingCapability,
  traceparentOfCall,
} from '@synchub/protocol'
import type { SubmittedCall } from '../../calls/call-desk.js'
import type { HubContext } from '../../hub-context.js'
import type { McpCall, McpOutcome } from '../mcp-method.js'
import { giveState, takeState, wrongState } from './request-state.js'

/** A request whose caller is asked something. */
export interface AskedCall {
  readonly request: CallRequest
  readonly call: McpCall
}

/**
 * The call that a `requestState` goes on with. The state is the signed name of a round: it holds for the caller that was asked, for
 * the same tool and arguments, and until something was answered, which only the store can tell.
 * @throws HubError INVALID_PARAMS, the same for every state that does not hold
 */
export async function findPausedCall(
  requestState: unknown,
  request: CallRequest,
  context: HubContext,
): Promise<CallRecord> {
  const [callId = '', ticket = ''] = (await takeState(requestState, bindingOf(request), context)).split('.')
  const call = isCallId(callId) ? await context.store.log.find(callId) : null
  if (
    call !== null &&
    isOfPrincipal(call, request.principal) &&
    isSameRound(call, ticket) &&
    isSameCall(call, request)
  ) {
    return call
  }
  throw wrongState('the requestState is not that of a request that waits for input')
}

/** Gives a paused call its answers. @returns the call that goes on, or the question for what is still to be answered */
export async function resumeCall(
  call: CallRecord,
  inputResponses: unknown,
  asked: AskedCall,
  context: HubContext,
): Promise<SubmittedCall | McpOutcome> {
  const { calls } = context
  const answering = await calls.answer(call, isJsonObject(inputResponses) ? inputResponses : {})
  if (answering.kind === 'incomplete') return askFor(call, answering.question, asked, context)
  if (answering.kind === 'not-asked') {
    throw wrongState('the request was answered meanwhile')
  }
  const { callId, trace, mode } = call
  return { callId, trace, mode, replayed: false, wait: (signal) => calls.wait(callId, signal) }
}

/**
 * Asks the caller what the agent asks.
 * @throws RevisionError where this very request does not declare that it can be answered
 */
export async function askFor(
  { callId, trace, w3cTraceId }: Pick<CallRecord, 'callId' | 'trace' | 'w3cTraceId'>,
  question: Question,
  { request, call: { clientCapabilities } }: AskedCall,
  context: HubContext,
): Promise<McpOutcome> {
  const inputRequests = pendingRequests(question)
  const undeclared = findUndeclaredInput(inputRequests, clientCapabilities)
  if (undeclared !== undefined) throw missingCapability(Object.keys(undeclared).join(', '), undeclared)
  const { traceId } = trace
  const traceparent = traceparentOfCall({ callId, traceId, w3cTraceId })
  const meta: JsonObject = { callId, traceId, ...(traceparent === undefined ? {} : { traceparent }) }
  const content = { name: `${callId}.${question.ticket}`, expiresAtMs: question.askedAtMs + INPUT_WAIT_MS }
  const requestState = await giveState(content, bindingOf(request), context)
  return { kind: 'input', inputRequests, requestState, meta }
}

/** The name of the tool counts as it was written: whoever goes on sends the same request again. */
function bindingOf({ principal, name, arguments: args }: CallRequest): StateBinding {
  return { principal, request: { method: 'tools/call', name, arguments: args } }
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
