import type { Principal } from '@synchub/auth'
import { isJsonObject, type JsonObject } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import { readQuestionName } from './question-name.js'

/**
 * Takes the answer of a legacy client to something that it was asked. A client that answers with an error does not want to answer:
 * its call is cancelled.
 * @returns false for an answer to nothing that this caller is asked now
 */
export async function takePostedResponse(
  { id, result, error }: JsonObject,
  { tenant, subject }: Principal,
  { store, calls }: HubContext,
): Promise<boolean> {
  const named = readQuestionName(id)
  const call = named === undefined ? null : await store.log.find(named.callId)
  if (named === undefined || call === null) return false
  const { question, trace } = call
  const isAsked = trace.tenant === tenant && trace.owner === subject && question?.askedAtMs === named.askedAtMs
  if (!isAsked) return false
  if (!isJsonObject(result)) {
    const why = isJsonObject(error) && typeof error.message === 'string' ? `: ${error.message}` : ''
    return (await calls.cancel(call, `the client does not answer what the agent asks${why}`)).cancelled
  }
  return (await calls.answer(call, { [named.name]: result })).kind !== 'not-asked'
}
