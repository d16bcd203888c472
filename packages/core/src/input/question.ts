import { randomBytes } from 'node:crypto'
import { HubError, type InputRequests, isJsonObject, type JsonObject } from '@synchub/protocol'

/** How long a caller may take to answer what its agent asks, in milliseconds. */
export const INPUT_WAIT_MS = 3_600_000

/** What an agent asks the caller of a call before it goes on. */
export interface Question {
  readonly requests: InputRequests
  /** The agent's own state: comes back to it as it was, and is shown to nobody else. */
  readonly agentState?: string
  /** What was answered so far, by the names of the requests. */
  readonly answers: JsonObject
  /** Names this very round, so that an answer to an earlier one is none of this; nobody can guess it. */
  readonly ticket: string
  readonly askedAtMs: number
}

/** Makes a question that nobody has answered yet. */
export function createQuestion(asked: Pick<Question, 'requests' | 'agentState'>, nowMs: number): Question {
  return { ...asked, answers: {}, ticket: createTicket(), askedAtMs: nowMs }
}

/** The requests that are still to be answered. */
export function pendingRequests({ requests, answers }: Question): InputRequests {
  return Object.fromEntries(Object.entries(requests).filter(([name]) => !Object.hasOwn(answers, name)))
}

/** Whether the agent can go on. */
export function isAnswered(question: Question): boolean {
  return Object.keys(pendingRequests(question)).length === 0
}

/** What a person can do with a form or a page that is shown to them (MCP `ElicitResult`). */
const ELICIT_ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel']

/**
 * Adds what of `responses` answers something that is still asked. What was not asked is left out, and so is what is no answer: it
 * is asked for again.
 * @throws HubError INVALID_PARAMS for an answer that says of a form or a page what nobody can do with it: the agent gets no such thing
 */
export function takeResponses(
  question: Question,
  responses: JsonObject,
): Question & { readonly taken: readonly string[] } {
  const pending = pendingRequests(question)
  const given = Object.entries(responses).filter(([name, value]) => Object.hasOwn(pending, name) && isJsonObject(value))
  for (const [name, value] of given) if (isJsonObject(value)) checkAction(name, pending[name]?.method, value)
  const answers = { ...question.answers, ...Object.fromEntries(given) }
  return { ...question, answers, ticket: createTicket(), taken: given.map(([name]) => name) }
}

function checkAction(name: string, method: unknown, { action }: JsonObject): void {
  if (method !== 'elicitation/create' || ELICIT_ACTIONS.includes(action)) return
  const place = { path: `inputResponses.${name}.action`, expected: `one of ${ELICIT_ACTIONS.join(', ')}` }
  throw new HubError('INVALID_PARAMS', `${place.path} must be ${place.expected}`, place)
}

function createTicket(): string {
  return randomBytes(16).toString('base64url')
}
