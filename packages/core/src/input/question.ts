import { randomBytes } from 'node:crypto'
import type { InputRequests, JsonObject } from '@synchub/protocol'
import { pickAnswers } from './usable-answers.js'

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

/**
 * Adds what of `responses` answers something that is still asked, as {@link pickAnswers} says.
 * @throws HubError INVALID_PARAMS
 */
export function takeResponses(
  question: Question,
  responses: JsonObject,
): Question & { readonly taken: readonly string[] } {
  const picked = pickAnswers(pendingRequests(question), responses)
  const answers = { ...question.answers, ...picked }
  return { ...question, answers, ticket: createTicket(), taken: Object.keys(picked) }
}

function createTicket(): string {
  return randomBytes(16).toString('base64url')
}
