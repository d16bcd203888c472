import type { InputRequests, JsonObject } from '@synchub/protocol'
import { type InputAnswer, type InputAnswers, type InputForms, readAnswer } from './form.js'
import type { InputWish } from './wish.js'

/** Where a call stands that asks its caller. */
export interface Round {
  /** What is still to be answered. */
  readonly forms: InputForms
  /** What was answered so far, in this round and before. */
  readonly answers: InputAnswers
  /** The handler's own state. */
  readonly state?: JsonObject
}

/** A round after answers came; `complaints` say why some of them do not count. */
export interface AnsweredRound extends Round {
  readonly complaints: Readonly<Record<string, string>>
}

/** The round of a call that has asked nothing. */
export const FIRST_ROUND: Round = { forms: {}, answers: {} }

/** Takes what of `responses` answers a form. What was not asked is left out; what does not keep its form is asked again. */
export function takeAnswers({ forms, answers, ...rest }: Round, responses: JsonObject): AnsweredRound {
  const taken: [string, InputAnswer][] = []
  const complaints: [string, string][] = []
  for (const [name, form] of Object.entries(forms)) {
    if (!Object.hasOwn(responses, name)) continue
    const reading = readAnswer(form, responses[name])
    if ('answer' in reading) taken.push([name, reading.answer])
    else complaints.push([name, reading.complaint])
  }
  const known = { ...answers, ...Object.fromEntries(taken) }
  const open = Object.entries(forms).filter(([name]) => !taken.some(([answered]) => answered === name))
  return {
    ...rest,
    forms: Object.fromEntries(open),
    answers: known,
    complaints: Object.fromEntries(complaints),
  }
}

/** The round that a handler opens: what it asks anew has no answer any more. */
export function nextRound({ answers }: Round, { forms, state }: InputWish): AnsweredRound {
  const kept = Object.entries(answers).filter(([name]) => !Object.hasOwn(forms, name))
  return {
    forms,
    answers: Object.fromEntries(kept),
    ...(state === undefined ? {} : { state }),
    complaints: {},
  }
}

/** What the client is asked; a person is told why an answer was not taken. */
export function toInputRequests({ forms, complaints }: AnsweredRound): InputRequests {
  return Object.fromEntries(
    Object.entries(forms).map(([name, { message, schema }]) => {
      const complaint = Object.hasOwn(complaints, name) ? `\n\nNot taken: ${complaints[name]}.` : ''
      const params = {
        mode: 'form',
        message: `${message}${complaint}`,
        requestedSchema: schema,
      }
      return [name, { method: 'elicitation/create', params }]
    }),
  )
}
