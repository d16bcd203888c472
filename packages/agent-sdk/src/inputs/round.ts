import type { InputRequests, JsonObject } from '@synchub/protocol'
import { type Answered, type Questions, readAnswer, toRequest } from './question.js'
import type { InputWish } from './wish.js'

/** Where a call stands that asks its caller. */
export interface Round {
  /** What is still to be answered. */
  readonly questions: Questions
  /** What was answered so far, in this round and before. */
  readonly answers: Readonly<Record<string, Answered>>
  /** The handler's own state. */
  readonly state?: JsonObject
}

/** A round after answers came; `complaints` say why some of them do not count. */
export interface AnsweredRound extends Round {
  readonly complaints: Readonly<Record<string, string>>
}

/** The round of a call that has asked nothing. */
export const FIRST_ROUND: Round = { questions: {}, answers: {} }

/** Takes what of `responses` answers a question. What was not asked is left out; what does not count is asked again. */
export function takeAnswers({ questions, answers, ...rest }: Round, responses: JsonObject): AnsweredRound {
  const taken: [string, Answered][] = []
  const complaints: [string, string][] = []
  for (const [name, question] of Object.entries(questions)) {
    if (!Object.hasOwn(responses, name)) continue
    const reading = readAnswer(question, responses[name])
    if ('complaint' in reading) complaints.push([name, reading.complaint])
    else taken.push([name, reading])
  }
  const known = { ...answers, ...Object.fromEntries(taken) }
  const open = Object.entries(questions).filter(([name]) => !taken.some(([answered]) => answered === name))
  return {
    ...rest,
    questions: Object.fromEntries(open),
    answers: known,
    complaints: Object.fromEntries(complaints),
  }
}

/** The round that a handler opens: what it asks anew has no answer any more. */
export function nextRound({ answers }: Round, { questions, state }: InputWish): AnsweredRound {
  const kept = Object.entries(answers).filter(([name]) => !Object.hasOwn(questions, name))
  return {
    questions,
    answers: Object.fromEntries(kept),
    ...(state === undefined ? {} : { state }),
    complaints: {},
  }
}

/** What the client is asked. */
export function toInputRequests({ questions, complaints }: AnsweredRound): InputRequests {
  return Object.fromEntries(
    Object.entries(questions).map(([name, question]) => {
      const complaint = Object.hasOwn(complaints, name) ? complaints[name] : undefined
      return [name, toRequest(question, complaint)]
    }),
  )
}
