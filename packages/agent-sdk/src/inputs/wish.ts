import type { JsonObject } from '@synchub/protocol'
import { checkForm, type InputForms } from './form.js'

/** What a handler needs of its caller before it can go on. */
export interface InputOptions {
  /** What is asked, by names under which the answers come back in `ctx.inputs`. At least one. */
  readonly forms: InputForms
  /** Comes back as `ctx.inputState`. JSON only; nobody but this agent can read or change it. */
  readonly state?: JsonObject
}

/** A handler's wish for input; {@link inputRequired} makes it. */
export class InputWish {
  readonly forms: InputForms
  readonly state: JsonObject | undefined

  constructor({ forms, state }: InputOptions) {
    this.forms = forms
    this.state = state
  }
}

/**
 * Asks the caller before the work goes on: the handler returns it, and is run anew once everything is answered.
 * @throws Error naming the form, when there is none or one that clients could not show
 */
export function inputRequired(options: InputOptions): InputWish {
  const forms = Object.entries(options.forms)
  if (forms.length === 0) throw new Error('inputRequired needs at least one form')
  for (const [name, form] of forms) checkForm(name, form)
  return new InputWish(options)
}
