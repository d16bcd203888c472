import type { FormAnswer } from './form.js'
import type { PageAnswer } from './page.js'
import type { Round } from './round.js'
import type { SampleAnswer } from './sample.js'

/** What a caller has answered, by the names that the handler asked under. */
export interface InputAnswers {
  readonly forms: Readonly<Record<string, FormAnswer | undefined>>
  readonly pages: Readonly<Record<string, PageAnswer | undefined>>
  readonly samples: Readonly<Record<string, SampleAnswer | undefined>>
}

/** The answers of a round as its handler sees them. */
export function toInputAnswers({ answers }: Pick<Round, 'answers'>): InputAnswers {
  const forms: Record<string, FormAnswer> = {}
  const pages: Record<string, PageAnswer> = {}
  const samples: Record<string, SampleAnswer> = {}
  for (const [name, answered] of Object.entries(answers)) {
    if (answered.kind === 'form') forms[name] = answered.answer
    else if (answered.kind === 'page') pages[name] = answered.answer
    else samples[name] = answered.answer
  }
  return { forms, pages, samples }
}
