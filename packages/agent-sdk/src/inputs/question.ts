import { findUndeclaredInput, isJsonObject, type JsonObject } from '@synchub/protocol'
import type { Complaint } from './complaint.js'
import { checkForm, type FormAnswer, type InputForm, readFormAnswer } from './form.js'
import { checkPage, type InputPage, type PageAnswer, readPageAnswer } from './page.js'
import { checkSample, type InputSample, readSampleAnswer, type SampleAnswer, toSamplingParams } from './sample.js'

/** One thing that a caller is asked. */
export type Question =
  | { readonly kind: 'form'; readonly asked: InputForm }
  | { readonly kind: 'page'; readonly asked: InputPage }
  | { readonly kind: 'sample'; readonly asked: InputSample }

/** Questions by names of the handler's own. */
export type Questions = Readonly<Record<string, Question>>

/** An answer that counts. */
export type Answered =
  | { readonly kind: 'form'; readonly answer: FormAnswer }
  | { readonly kind: 'page'; readonly answer: PageAnswer }
  | { readonly kind: 'sample'; readonly answer: SampleAnswer }

/** What a caller says that it can be asked. */
export interface CanAsk {
  readonly forms: boolean
  readonly pages: boolean
  readonly samples: boolean
}

/**
 * Refuses a question that clients could not take: a slip of its author.
 * @throws Error naming the question and what is wrong
 */
export function checkQuestion(name: string, question: Question): void {
  if (question.kind === 'form') checkForm(name, question.asked)
  else if (question.kind === 'page') checkPage(name, question.asked)
  else checkSample(name, question.asked)
}

/** The question as a request of MCP; a person is told why an earlier answer was not taken, a model is asked the same again. */
export function toRequest(question: Question, complaint: string | undefined): JsonObject {
  if (question.kind === 'sample') {
    return { method: 'sampling/createMessage', params: toSamplingParams(question.asked) }
  }
  const message = question.asked.message + (complaint === undefined ? '' : `\n\nNot taken: ${complaint}.`)
  const params =
    question.kind === 'form'
      ? { mode: 'form', message, requestedSchema: question.asked.schema }
      : { mode: 'url', message, url: question.asked.url }
  return { method: 'elicitation/create', params }
}

/** Reads an answer as it came: nothing in it is believed. */
export function readAnswer(question: Question, value: unknown): Answered | Complaint {
  if (!isJsonObject(value)) return { complaint: 'the answer is no object' }
  if (question.kind === 'form') {
    const answer = readFormAnswer(question.asked, value)
    return 'complaint' in answer ? answer : { kind: 'form', answer }
  }
  if (question.kind === 'page') {
    const answer = readPageAnswer(value)
    return 'complaint' in answer ? answer : { kind: 'page', answer }
  }
  const answer = readSampleAnswer(value)
  return 'complaint' in answer ? answer : { kind: 'sample', answer }
}

/** What a caller with these capabilities can be asked, by the rule that holds for the questions themselves. */
export function readCanAsk(inputCapabilities: JsonObject): CanAsk {
  const can = (method: string, params: JsonObject): boolean =>
    findUndeclaredInput({ question: { method, params } }, inputCapabilities) === undefined
  return {
    forms: can('elicitation/create', { mode: 'form' }),
    pages: can('elicitation/create', { mode: 'url' }),
    samples: can('sampling/createMessage', {}),
  }
}
