import type { JsonObject } from '@synchub/protocol'
import type { InputForm } from './form.js'
import type { InputPage } from './page.js'
import { checkQuestion, type Question, type Questions } from './question.js'
import type { InputSample } from './sample.js'

/** What a caller is asked, by names of the handler's own: under these the answers come back. */
export interface InputQuestions {
  /** Forms that somebody fills in; the caller needs `canAsk.forms`. */
  readonly forms?: Readonly<Record<string, InputForm>>
  /** Pages that somebody opens; the caller needs `canAsk.pages`. */
  readonly pages?: Readonly<Record<string, InputPage>>
  /** What the caller's model writes; the caller needs `canAsk.samples`. */
  readonly samples?: Readonly<Record<string, InputSample>>
}

/** What a handler needs of its caller before it can go on: at least one question. A name stands for one question only. */
export interface InputOptions extends InputQuestions {
  /** Comes back as `ctx.inputState`. JSON only; nobody but this agent can read or change it. */
  readonly state?: JsonObject
}

/** A handler's wish for input; {@link inputRequired} makes it. */
export class InputWish {
  readonly questions: Questions
  readonly state: JsonObject | undefined

  constructor(questions: Questions, state: JsonObject | undefined) {
    this.questions = questions
    this.state = state
  }
}

/**
 * Asks the caller before the work goes on: the handler returns it, and is run anew once everything is answered. A caller that has
 * not declared that it takes such questions is not asked: its call ends with CAPABILITY_MISSING.
 * @throws Error naming the question, when there is none, one name stands for two, or clients could not take it
 */
export function inputRequired({ state, ...asked }: InputOptions): InputWish {
  const questions = listQuestions(asked)
  if (questions.length === 0) throw new Error('inputRequired needs at least one question')
  for (const [name, question] of questions) checkQuestion(name, question)
  const byName = Object.fromEntries(questions)
  if (Object.keys(byName).length === questions.length) return new InputWish(byName, state)
  throw new Error('inputRequired: one name stands for two questions')
}

function listQuestions({
  forms = {},
  pages = {},
  samples = {},
}: InputQuestions): readonly (readonly [string, Question])[] {
  return [
    ...Object.entries(forms).map(([name, asked]) => [name, { kind: 'form', asked }] as const),
    ...Object.entries(pages).map(([name, asked]) => [name, { kind: 'page', asked }] as const),
    ...Object.entries(samples).map(([name, asked]) => [name, { kind: 'sample', asked }] as const),
  ]
}
