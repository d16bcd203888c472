import { HubError, type InputRequests, isJsonObject, type JsonObject } from '@synchub/protocol'

/** What a person can do with a form or a page that is shown to them (MCP `ElicitResult`). */
const ELICIT_ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel']

/** Why an agent cannot be given an answer: the place that is wrong, and what was expected there. */
export interface AnswerFault {
  readonly path: string
  readonly expected: string
}

/**
 * What of `responses` answers one of `requests`. What was not asked is left out, and so is what is no answer: it is asked for again.
 * @throws HubError INVALID_PARAMS for an answer that says of a form or a page what nobody can do with it: the agent gets no such thing
 */
export function pickAnswers(requests: InputRequests, responses: JsonObject): JsonObject {
  const given = Object.entries(responses).filter(
    ([name, value]) => Object.hasOwn(requests, name) && isJsonObject(value),
  )
  for (const [name, value] of given) {
    const fault = findAnswerFault(requests[name]?.method, value, `inputResponses.${name}`)
    if (fault !== undefined)
      throw new HubError('INVALID_PARAMS', `${fault.path} must be ${fault.expected}`, { ...fault })
  }
  return Object.fromEntries(given)
}

/**
 * What is wrong with the answer to a request; undefined for one that its agent can be given.
 * @param place - where the answer stands in what its sender wrote
 */
export function findAnswerFault(method: unknown, answer: unknown, place: string): AnswerFault | undefined {
  if (!isJsonObject(answer)) return { path: place, expected: 'an object' }
  if (method !== 'elicitation/create' || ELICIT_ACTIONS.includes(answer.action)) return undefined
  return { path: `${place}.action`, expected: `one of ${ELICIT_ACTIONS.join(', ')}` }
}
