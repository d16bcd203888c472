import { findUndeclaredInput, HubError, type InputRequired } from '@synchub/protocol'
import type { EventDraft } from '../call/call-log.js'
import type { CallRecord } from '../call/call-record.js'
import { endingOfError } from '../completion/ending.js'
import { createQuestion, type Question } from './question.js'

/** What an agent's wish for input leads to: the question, or the end of a call whose caller cannot answer it. */
export type Asking =
  | { readonly kind: 'asked'; readonly event: EventDraft<'input_requested'>; readonly question: Question }
  | { readonly kind: 'unanswerable'; readonly ending: EventDraft<'failed'> }

/** Judges what an agent asks: only what the caller has said that it can answer. */
export function askCaller(call: CallRecord, { inputRequests, requestState }: InputRequired, nowMs: number): Asking {
  const requiredCapabilities = findUndeclaredInput(inputRequests, call.inputCapabilities ?? {})
  if (requiredCapabilities !== undefined) {
    const names = Object.keys(requiredCapabilities).join(', ')
    const reason = `${call.agent} asks something that its caller has not said it can answer (${names})`
    const place = { callId: call.callId, traceId: call.trace.traceId, requiredCapabilities }
    const { data } = endingOfError('failed', new HubError('CAPABILITY_MISSING', reason, place), call)
    return { kind: 'unanswerable', ending: { event: 'failed', data } }
  }
  const agentState = requestState === undefined ? {} : { agentState: requestState }
  return {
    kind: 'asked',
    event: { event: 'input_requested', data: { inputRequests } },
    question: createQuestion({ requests: inputRequests, ...agentState }, nowMs),
  }
}
