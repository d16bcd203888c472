import type { Principal } from '@synchub/auth'
import { type CallRecord, findAnswerFault, pendingRequests } from '@synchub/core'
import { HubError, type InputRequests, isJsonObject, type JsonObject } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import { readQuestionName } from './question-name.js'

/** What became of a posted response: an error where it answers what is asked with what no agent can be given. */
export type PostedOutcome = 'taken' | 'not-asked' | HubError

/**
 * Takes the answer of a legacy client to something that it was asked. Nobody answers a request of JSON-RPC a second time, so a
 * client that answers with an error, or with what its agent cannot be given, has its call cancelled: nothing would end its wait.
 * @returns `not-asked` for an answer to nothing that this caller is asked now
 */
export async function takePostedResponse(
  { id, result, error }: JsonObject,
  principal: Principal,
  { store, calls }: HubContext,
): Promise<PostedOutcome> {
  const named = readQuestionName(id)
  const call = named === undefined ? null : await store.log.find(named.callId)
  if (named === undefined || call === null) return 'not-asked'
  const asked = askedNow(call, principal, named.askedAtMs)
  if (!Object.hasOwn(asked, named.name)) return 'not-asked'
  const cancel = async (why: string) =>
    (await calls.cancel(call, `the client does not answer what the agent asks${why}`)).cancelled
  if (result === undefined) {
    const why = isJsonObject(error) && typeof error.message === 'string' ? `: ${error.message}` : ''
    return (await cancel(why)) ? 'taken' : 'not-asked'
  }
  const fault = findAnswerFault(asked[named.name]?.method, result, 'result')
  if (fault === undefined) {
    const { kind } = await calls.answer(call, { [named.name]: result })
    return kind === 'not-asked' ? kind : 'taken'
  }
  const what = `${fault.path} must be ${fault.expected}`
  if (!(await cancel(`: ${what}`))) return 'not-asked'
  const { callId, trace } = call
  return new HubError('INVALID_PARAMS', `${what}, so the call that asked was cancelled`, {
    ...fault,
    callId,
    traceId: trace.traceId,
  })
}

/** The requests of a round that its caller has still to answer. */
function askedNow(
  { state, question, trace }: CallRecord,
  { tenant, subject }: Principal,
  askedAtMs: number,
): InputRequests {
  const isAsked = state === 'awaiting_input' && trace.tenant === tenant && trace.owner === subject
  return isAsked && question?.askedAtMs === askedAtMs ? pendingRequests(question) : {}
}
